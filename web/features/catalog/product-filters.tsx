import type { ProductFacets } from '../../../contract/catalog.ts'
import { type FacetName, facetNames } from '../../../contract/product-filters.ts'
import { Link } from '../../router/link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { countLabel, facetTitles, filterLabel } from './filter-words.ts'
import { listLink } from './list-links.ts'

/** What is chosen, a value for each filter at most. */
export type Chosen = Partial<Record<FacetName, string>>

export interface ProductFiltersProps {
  facets: ProductFacets
  chosen: Chosen
  /** The address of the list, without its page. */
  search: string
}

/** So many values of a filter are in view at once. */
const inView = 8

/**
 * The filters of the product list: links, so that they work without any script. On a phone they are a sheet, which the
 * platform opens and closes; on a wide screen the same sheet stands beside the list.
 */
export function ProductFilters({ facets, chosen, search }: ProductFiltersProps) {
  const { total, estimated } = facets
  return (
    <aside
      id="filters"
      popover="auto"
      aria-label="Filters"
      className="menu-sheet inset-y-0 left-0 h-dvh max-h-none w-80 max-w-[88vw] border-r border-line bg-paper
        lg:static lg:block lg:h-auto lg:w-auto lg:max-w-none lg:overflow-visible lg:border-0 lg:p-0"
    >
      <div className="flex items-center justify-between border-b border-line py-3 pr-3 pl-5 lg:border-0 lg:p-0">
        <h2 className="font-display text-2xl font-bold lg:sr-only">Filters</h2>
        <button {...closing} aria-label="Close" className="rounded-control p-2 hover:bg-shade lg:hidden">
          <CloseIcon />
        </button>
      </div>
      <div className="flex flex-col gap-6 px-5 py-5 lg:p-0">
        {facetNames.map((name) => (
          <Filter key={name} name={name} facet={facets.facets[name]} value={chosen[name]} search={search} />
        ))}
      </div>
      <div className="sticky bottom-0 border-t border-line bg-paper p-4 lg:hidden">
        <button {...closing} className={`${buttonClass('ink')} w-full`}>
          Show {countLabel(total, estimated)} {total === 1 ? 'product' : 'products'}
        </button>
      </div>
    </aside>
  )
}

const closing = { type: 'button', popoverTarget: 'filters', popoverTargetAction: 'hide' } as const

interface FilterProps {
  name: FacetName
  facet: ProductFacets['facets'][FacetName]
  value: string | undefined
  search: string
}

function Filter({ name, facet: { values, estimated }, value: chosen, search }: FilterProps) {
  if (values.length === 0 && !chosen) return null
  // Where the other filters leave nothing of what is chosen, it must still be possible to let go of it.
  const own = values.find(({ value }) => value === chosen) ?? (chosen && { value: chosen, count: 0 })
  const isShort = values.length <= inView + 1
  const all = isShort || !own ? values : [own, ...values.filter(({ value }) => value !== chosen)]
  const shown = own && !all.includes(own) ? [own, ...all] : all
  const option = ({ value, count }: { value: string; count: number }) => (
    <li key={value}>
      <Link
        href={listLink(search, { [name]: value === chosen ? '' : value })}
        keepScroll
        aria-current={value === chosen ? 'true' : undefined}
        className="-mx-2 flex min-h-11 items-center justify-between gap-3 rounded-control px-2 hover:bg-shade
          aria-current:bg-ink aria-current:text-white lg:min-h-8"
      >
        <span className="min-w-0 wrap-anywhere">{filterLabel(name, value)}</span>
        <span className="shrink-0 text-sm tabular-nums opacity-80">{countLabel(count, estimated)}</span>
      </Link>
    </li>
  )
  const first = isShort ? shown : shown.slice(0, inView)
  const more = isShort ? [] : shown.slice(inView)
  return (
    <section aria-labelledby={`filter-${name}`}>
      <h3 id={`filter-${name}`} className="label mb-1 text-quiet">
        {facetTitles[name]}
      </h3>
      <ul>{first.map(option)}</ul>
      {more.length > 0 && (
        <details>
          <summary className="min-h-11 py-2 font-semibold text-signal lg:min-h-8 lg:py-1">
            {more.length} more
          </summary>
          <ul>{more.map(option)}</ul>
        </details>
      )}
    </section>
  )
}
