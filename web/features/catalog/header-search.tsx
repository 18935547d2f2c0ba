import { type ToggleEvent, useState } from 'react'
import { onDemand } from '../../on-demand.ts'
import { controlClass } from '../../ui/button.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { closePopover } from '../../ui/popover.ts'

const suggestions = onDemand(() => import('./suggestions.tsx'))

/** Opens the search field, which a wide screen always shows. */
export const HeaderSearchButton = () => (
  <button
    type="button"
    popoverTarget="find"
    aria-label="Find parts or a bike"
    className="flex size-[min(2.75rem,13vw)] items-center justify-center rounded-control hover:bg-ink-raised hover:text-signal-bright xl:hidden"
  >
    <SearchIcon className="size-6" />
  </button>
)

/** The search field in the header of each page. Its suggestions are loaded when it gets the focus. */
export function HeaderSearch() {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  const code = suggestions.useCode()
  const focusWhenOpen = ({ newState }: ToggleEvent) => {
    if (newState === 'open') input?.focus()
  }
  return (
    <search
      id="find"
      popover="auto"
      onToggle={focusWhenOpen}
      className="menu-sheet inset-x-0 top-16 w-full border-b border-ink-line overflow-visible bg-ink p-3 text-white xl:relative
        xl:inset-auto xl:ml-4 xl:block xl:w-auto xl:min-w-0 xl:max-w-dialog xl:grow xl:border-0 xl:p-0"
    >
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
          aria-controls="suggestions"
          placeholder="Part, bike or number"
          className={`${controlClass} h-11 text-ink`}
          // If it fails, the form still searches, and the next focus tries again.
          onFocus={() => void suggestions.load().catch(() => undefined)}
        />
        <button
          type="submit"
          aria-label="Find"
          className="flex size-11 shrink-0 items-center justify-center rounded-control border border-ink-line hover:bg-ink-raised"
        >
          <SearchIcon className="size-5" />
        </button>
        {code && input && <code.Suggestions input={input} />}
      </form>
    </search>
  )
}
