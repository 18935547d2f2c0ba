import { type SyntheticEvent, useRef } from 'react'
import { buttonClass, controlClass } from './button.tsx'
import { SearchIcon } from './icons.tsx'
import { useShownValues } from './shown-values.ts'

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (words: string) => void
}

export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const form = useShownValues({ q: value })
  const input = useRef<HTMLInputElement>(null)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onSearch(input.current?.value.trim() ?? '')
  }
  return (
    <search className="w-full md:w-80">
      <form ref={form} onSubmit={submit} className="flex gap-2">
        <input
          ref={input}
          type="search"
          name="q"
          defaultValue={value}
          aria-label={label}
          placeholder={label}
          className={`${controlClass} h-11`}
        />
        <button type="submit" aria-label="Search" className={buttonClass('ink')}>
          <SearchIcon />
        </button>
      </form>
    </search>
  )
}
