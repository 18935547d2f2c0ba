import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { filterNames } from '../../../contract/product-filters.ts'
import { navigate } from '../../router/navigation.ts'
import { buttonClass, controlClass, selectClass } from '../../ui/button.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import type { ListChoice } from './list-choice.ts'
import { listLink } from './list-links.ts'

interface ProductSearchProps extends Omit<ListChoice, 'search'> {
  /** Shown beside the sort order. */
  children: ReactNode
}

const debounceMs = 200
/** Shorter texts match too many products, so they are searched only on submit. */
const minSearchLength = 3

/**
 * Search and sort form, which also works without JavaScript. With it the list follows the input, and each search
 * replaces the previous one in the history.
 */
export function ProductSearch({ q, sort: asked, chosen, bike, fit, plain, children }: ProductSearchProps) {
  const orders: Record<string, string> = {
    '': q ? 'Best match' : 'Default order',
    '-created': 'Newest',
    price: 'Price, lowest first',
    '-price': 'Price, highest first',
    name: 'Name',
  }
  // A URL may have an order that the form does not offer.
  const sort = orders[asked] ? asked : ''
  const input = useRef<HTMLInputElement>(null)
  const select = useRef<HTMLSelectElement>(null)
  const timer = useRef(0)
  const previous = useRef<{ q: string; sort: string }>(null)

  const go = () => {
    clearTimeout(timer.current)
    const form = input.current?.form
    // The form may be removed before the timer ends.
    if (!form) return
    // The form has no files.
    const values = new URLSearchParams([...new FormData(form)] as [string, string][])
    const text = values.get('q')?.trim() ?? ''
    const order = values.get('sort') ?? ''
    if (text === q && order === sort) return
    // Only the shown words were searched as words: others may name a bike.
    if (text !== q) values.delete('plain')
    navigate(listLink(values.toString(), { q: text, sort: order }), {
      replace: q !== '' && text !== '',
      keepScroll: true,
    })
  }
  const follow = (field: EventTarget) => {
    clearTimeout(timer.current)
    if (field !== input.current) return go()
    const text = input.current.value.trim()
    if (text !== q && (!text || text.length >= minSearchLength))
      timer.current = window.setTimeout(go, debounceMs)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    go()
  }

  useEffect(() => {
    const shown = previous.current
    previous.current = { q, sort }
    if (!input.current || !select.current) return
    // The user may have typed or chosen before the page was hydrated.
    if (!shown) return follow(select.current.value === sort ? input.current : select.current)
    // Update the fields after back, forward or a removed search, but not while the user types another text.
    const field = input.current
    if (shown.q !== q && (field !== document.activeElement || field.value.trim() === shown.q)) field.value = q
    if (shown.sort !== sort) select.current.value = sort
  })

  return (
    <search>
      <form
        action="/products"
        // A reload would restore the fields, which would start a search.
        autoComplete="off"
        onInput={({ target }) => follow(target)}
        onSubmit={submit}
        className="flex flex-wrap gap-x-2 gap-y-3"
      >
        {bike !== undefined && <input type="hidden" name="bike" value={bike} />}
        {plain && <input type="hidden" name="plain" value="true" />}
        {fit.map((value) => (
          <input key={value} type="hidden" name="fit" value={value} />
        ))}
        {filterNames.flatMap((name) =>
          (chosen[name] ?? []).map((value) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          )),
        )}
        <div className="flex grow basis-72 gap-2">
          <input
            ref={input}
            type="search"
            name="q"
            defaultValue={q}
            maxLength={500}
            enterKeyHint="search"
            aria-label="Search products"
            placeholder="Name, brand, part number"
            className={`${controlClass} h-12`}
          />
          <button type="submit" aria-label="Search" className={buttonClass('ink')}>
            <SearchIcon />
          </button>
        </div>
        <select
          ref={select}
          name="sort"
          defaultValue={sort}
          aria-label="Sort by"
          className={`${selectClass} h-12 min-w-0 grow basis-32 md:grow-0 md:basis-54`}
        >
          {Object.entries(orders).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {children}
      </form>
    </search>
  )
}
