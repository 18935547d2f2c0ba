import { type FormEvent, useId, useRef } from 'react'
import { buttonClass, controlClass } from './button.tsx'
import { SearchIcon } from './icons.tsx'

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (words: string) => void
}

export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(input.current?.value.trim() ?? '')
  }
  return (
    <search className="w-full md:w-80">
      <form onSubmit={submit} className="flex gap-2">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          key={value}
          ref={input}
          id={id}
          type="search"
          name="q"
          defaultValue={value}
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
