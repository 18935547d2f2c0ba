import { useEffect, useRef } from 'react'
import { browserStore } from '../../browser-store.ts'
import { buttonClass, controlClass } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/field.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { searchPath } from './paths.ts'

interface DeskSearchFormProps {
  q?: string
  /** Whether it has the focus when the page opens. */
  isFocused?: boolean
  className?: string
}

const storageKey = 'search-key'
/** Whether the key `/` moves the focus into the search. */
const searchKey = browserStore({
  keys: [storageKey],
  parse: (text = null) => text !== 'off',
  listCopies: () => [],
})

/** The search for orders and customers. The key `/` moves the focus into it. */
export function DeskSearchForm({ q = '', isFocused = false, className = '' }: DeskSearchFormProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!isFocused) return
    // After the navigation, which takes the focus.
    const frame = requestAnimationFrame(() => input.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [isFocused])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (!searchKey.read() || isTyping(event.target)) return
      event.preventDefault()
      input.current?.select()
      input.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <search className={className}>
      <form action={searchPath} className="flex gap-2">
        <input
          key={q}
          ref={input}
          type="text"
          name="q"
          required
          minLength={2}
          maxLength={100}
          defaultValue={q}
          autoComplete="off"
          enterKeyHint="search"
          aria-label="Find an order or a customer"
          placeholder="Name, phone, order, part, city"
          className={`${controlClass} h-11`}
        />
        <button type="submit" aria-label="Find order or customer" className={buttonClass('ink')}>
          <SearchIcon />
        </button>
      </form>
    </search>
  )
}

/** Turns the key off in this browser, for users whose voice control types it by mistake (WCAG 2.1.4). */
export const SearchKeyField = () => (
  <CheckboxField
    label="The key / moves to the search"
    checked={searchKey.useValue()}
    onChange={({ target }) => {
      try {
        searchKey.write(storageKey, target.checked ? null : 'off')
      } catch {
        // The browser does not allow the shop to store data: the box stays checked.
      }
    }}
  />
)

/** Whether a key is part of a text, or a dialog is open. */
const isTyping = (target: EventTarget | null) =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)))
