import type { ToggleEvent } from 'react'
import { SearchIcon } from '../../ui/icons.tsx'
import { SearchForm } from './search-form.tsx'

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

/** The search field in the header of each page. */
export const HeaderSearch = () => (
  <search
    id="find"
    popover="auto"
    onToggle={focusWhenOpen}
    className="menu-sheet inset-x-0 top-16 w-full border-b border-ink-line overflow-visible bg-ink p-3 text-white xl:relative
      xl:inset-auto xl:ml-4 xl:block xl:w-auto xl:min-w-0 xl:max-w-dialog xl:grow xl:border-0 xl:p-0"
  >
    <SearchForm />
  </search>
)

function focusWhenOpen({ newState, currentTarget }: ToggleEvent<HTMLElement>): void {
  if (newState === 'open') currentTarget.querySelector('input')?.focus()
}
