import type { ToggleEvent } from 'react'
import { SearchIcon } from '../../ui/icons.tsx'
import { SearchForm } from './search-form.tsx'

/** Opens the search field on a phone. Wider screens always show it. */
export const HeaderSearchButton = () => (
  <button
    type="button"
    popoverTarget="find"
    aria-label="Find parts or a bike"
    className="flex size-[min(2.75rem,13vw)] items-center justify-center rounded-control hover:bg-ink-raised hover:text-signal-bright md:hidden"
  >
    <SearchIcon className="size-6" />
  </button>
)

/** The search field in the header of each page. */
export const HeaderSearch = () => (
  <search
    id="find"
    popover="auto"
    onToggle={focusWhenOpen}
    className="menu-sheet inset-x-0 top-16 w-full border-b border-ink-line overflow-visible bg-ink p-3 text-white md:relative
      md:inset-auto md:block md:w-auto md:min-w-0 md:max-w-dialog md:grow md:border-0 md:p-0 xl:ml-4"
  >
    <SearchForm />
  </search>
)

function focusWhenOpen({ newState, currentTarget }: ToggleEvent<HTMLElement>): void {
  if (newState === 'open') currentTarget.querySelector('input')?.focus()
}
