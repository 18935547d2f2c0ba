import { useEffect, useId, useState } from 'react'
import { onDemand } from '../../on-demand.ts'
import { controlClass } from '../../ui/button.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { closePopover } from '../../ui/popover.ts'

const suggestions = onDemand(() => import('./suggestions.tsx'))

// If it fails, the form still searches, and the next focus tries again.
const loadSuggestions = () => void suggestions.load().catch(() => undefined)

/** The field that finds parts, bikes and numbers. Its suggestions are loaded when it gets the focus. */
export function SearchForm() {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  const listId = useId()
  const code = suggestions.useCode()
  // A rider may have focused the field before the scripts were loaded.
  useEffect(() => {
    if (input && input === document.activeElement) loadSuggestions()
  }, [input])
  return (
    <form
      action="/products"
      className="relative flex gap-2"
      onSubmit={({ currentTarget }) => closePopover(currentTarget)}
    >
      <input
        ref={setInput}
        role="combobox"
        name="q"
        maxLength={500}
        autoComplete="off"
        enterKeyHint="search"
        aria-label="Find parts, a bike or a number"
        aria-expanded="false"
        aria-autocomplete="list"
        aria-controls={listId}
        placeholder="Part, bike or number"
        className={`${controlClass} h-11 text-ink`}
        onFocus={loadSuggestions}
      />
      <button
        type="submit"
        aria-label="Find"
        className="flex size-11 shrink-0 items-center justify-center rounded-control border border-ink-line hover:bg-ink-raised"
      >
        <SearchIcon className="size-5" />
      </button>
      {code && input && <code.Suggestions id={listId} input={input} />}
    </form>
  )
}
