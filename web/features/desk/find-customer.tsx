import { useQuery } from '@tanstack/react-query'
import { type RefObject, type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react'
import { QueryError } from '../../query-error.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { listPeople } from './people.ts'
import { searchQuery } from './queries.ts'

interface FindCustomerProps {
  field: RefObject<HTMLInputElement | null>
  onChosen: (email: string) => void
}

/** Finds a person by the search of the desk, with or without an account. The only hit is chosen immediately. */
export function FindCustomer({ field, onChosen }: FindCustomerProps) {
  const [q, setQ] = useState('')
  const found = useQuery({ ...searchQuery(q), enabled: q !== '' })
  const people = found.data && q !== '' ? listPeople(found.data) : undefined
  const only = people?.length === 1 ? people[0]?.email : undefined
  const choose = useEffectEvent(onChosen)
  useEffect(() => {
    if (only !== undefined) choose(only)
  }, [only])
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const text = field.current?.value.trim() ?? ''
    if (text.length >= 2) setQ(text)
  }
  return (
    <search>
      <form onSubmit={submit} className="flex items-end gap-2">
        <TextField
          ref={field}
          label="Find a customer"
          required
          minLength={2}
          maxLength={100}
          autoComplete="off"
          enterKeyHint="search"
          placeholder="Name, phone or order"
          className="grow"
        />
        <Button type="submit" variant="ink" className="min-h-12">
          Search
        </Button>
      </form>
      <div aria-live="polite" className="mt-3 empty:hidden">
        {found.isError ? (
          <QueryError title="The search failed" query={found} />
        ) : people?.length === 0 ? (
          <p>No customer matches “{q}”. Enter the email of a new one below.</p>
        ) : people ? (
          <ul className="divide-y divide-line border-y border-line">
            {people.map(({ email, name, phone }) => (
              <li key={email}>
                <button
                  type="button"
                  className="w-full px-2 py-3 text-left hover:bg-shade"
                  onClick={() => onChosen(email)}
                >
                  <span className="font-semibold wrap-anywhere">{name || email}</span>
                  <span className="block text-sm text-quiet wrap-anywhere">
                    {[email, phone].filter(Boolean).join(' · ')}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        ) : (
          q !== '' && <SectionSpinner />
        )}
      </div>
    </search>
  )
}
