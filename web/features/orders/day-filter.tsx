import type { SyntheticEvent } from 'react'
import { navigate } from '../../router/navigation.ts'
import { useLocation } from '../../router/router.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useShownValues } from '../../ui/shown-values.ts'

/** Filters a list by days, both included. They are in the URL as `from` and `to`. */
export function DayFilter({ days }: { days: { from: string; to: string } }) {
  const { search } = useLocation()
  const form = useShownValues(days)
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const params = new URLSearchParams(search)
    params.delete('page')
    for (const [name, value] of new FormData(event.currentTarget)) {
      if (typeof value === 'string' && value) params.set(name, value)
      else params.delete(name)
    }
    navigate(`?${params}`, { keepScroll: true })
  }
  return (
    <form ref={form} onSubmit={submit} className="grid grid-cols-2 items-end gap-3 xs:flex">
      <TextField label="From" type="date" name="from" defaultValue={days.from} />
      <TextField label="To" type="date" name="to" defaultValue={days.to} />
      <Button type="submit" variant="quiet">
        Filter
      </Button>
    </form>
  )
}
