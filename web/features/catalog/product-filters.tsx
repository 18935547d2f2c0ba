import { type ComponentProps, Fragment, lazy, memo, Suspense } from 'react'
import type { FitCounts, ProductFacets } from '../../../contract/catalog.ts'
import {
  type Chosen,
  type FacetName,
  type FitChoice,
  facets,
  type PriceBand,
  priceBands,
} from '../../../contract/product-filters.ts'
import { Link } from '../../router/router.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { countLabel, Filter, FilterOption } from './filter.tsx'
import { toggleFitLink, toggleLink } from './list-choice.ts'
import { listLink } from './list-links.ts'
import type { RefusedRange } from './list-query.ts'

interface ProductFiltersProps {
  counts: ProductFacets
  chosen: Chosen
  range: RefusedRange | null
  fit: FitChoice[]
  /** Query string of the list, without its page. */
  search: string
}

/**
 * The filters of the product list. They are links and forms, so they work without JavaScript. On a phone they are a popover, on a
 * wide screen a column beside the list.
 */
export function ProductFilters({ counts, chosen, range, fit, search }: ProductFiltersProps) {
  const { total, estimated } = counts
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
        <button {...closing} aria-label="Close" className="rounded-control p-3 hover:bg-shade lg:hidden">
          <CloseIcon />
        </button>
      </div>
      <div className="flex flex-col gap-6 px-5 py-5 lg:p-0">
        {counts.fit && <FitFilter counts={counts.fit} chosen={fit} search={search} />}
        {facets.map(({ name, title }) => (
          <Fragment key={name}>
            <Filter
              id={`filter-${name}`}
              title={title}
              facet={counts.facets[name]}
              chosen={chosen[name] ?? []}
              toHref={(value) => toggleLink(search, name, value)}
              toLabel={(value) => filterLabel(name, value)}
            />
            {name === 'kind' && counts.attributes?.length ? (
              <LoadedAttributeFilters
                attributes={counts.attributes}
                chosen={chosen.attribute}
                range={range}
                search={search}
              />
            ) : null}
          </Fragment>
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

interface FitFilterProps {
  counts: FitCounts
  chosen: FitChoice[]
  search: string
}

const fitChoiceLabels = {
  fits: 'Fits',
  some: 'Fits some versions',
  universal: 'Universal',
  unconfirmed: 'Fit not confirmed',
}

/** The filter by fit of a list for a bike. */
function FitFilter({ counts, chosen, search }: FitFilterProps) {
  const all: FitChoice[] = chosen.length > 0 ? chosen : ['fits']
  return (
    <section aria-labelledby="filter-fit">
      <h3 id="filter-fit" className="label mb-1 text-quiet">
        Fit
      </h3>
      <ul>
        {(['fits', 'some', 'universal', 'unconfirmed'] as const).map((value) => (
          <FilterOption
            key={value}
            href={toggleFitLink(search, all, value)}
            isChosen={all.includes(value)}
            // Without a choice it is chosen again.
            isFixed={all.join(' ') === 'fits'}
            label={fitChoiceLabels[value]}
            count={countLabel(counts[value].count, counts[value].estimated)}
          />
        ))}
      </ul>
    </section>
  )
}

/** Only lists of a kind with attributes load it. The server renders it at once, and its HTML works without scripts. */
const AttributeFilters = import.meta.env.SSR
  ? (await import('./attribute-filters.tsx')).AttributeFilters
  : lazy(() =>
      import('./attribute-filters.tsx').then(
        (code) => ({ default: code.AttributeFilters }),
        () => new Promise<never>(() => undefined),
      ),
    )

/** React keeps the HTML of the server until the code is loaded, as long as it gets no other properties: so they are compared. */
const LoadedAttributeFilters = memo((props: ComponentProps<typeof AttributeFilters>) => (
  <Suspense>
    <AttributeFilters {...props} />
  </Suspense>
))

interface ProductChipsProps {
  chosen: Chosen
  q: string
  search: string
}

/** The active filters: each can be removed, or all together. */
export function ProductChips({ chosen, q, search }: ProductChipsProps) {
  const filters = [...facets, { name: 'attribute', title: 'Attribute' } as const].flatMap(({ name, title }) =>
    (chosen[name] ?? []).map((value) => {
      const label = filterLabel(name, value)
      return { label, href: toggleLink(search, name, value), removes: `${title}: ${label}` }
    }),
  )
  const words = {
    label: `“${q}”`,
    href: listLink(search, { q: '', plain: '', sort: '' }),
    removes: `search: ${q}`,
  }
  const chips = q ? [words, ...filters] : filters
  if (chips.length === 0) return null
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2">
      {chips.map(({ label, href, removes }) => (
        <li key={removes} className="max-w-full">
          <Link
            href={href}
            keepScroll
            aria-label={`Remove ${removes}`}
            className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-control border border-edge bg-surface px-3
              text-sm font-semibold hover:border-ink hover:bg-shade pointer-fine:min-h-9"
          >
            <span className="truncate">{label}</span> <CloseIcon className="size-4 shrink-0" />
          </Link>
        </li>
      ))}
      <li>
        <a
          href="/products"
          className="inline-flex min-h-11 items-center px-2 text-sm font-semibold text-signal underline pointer-fine:min-h-9"
        >
          Clear all
        </a>
      </li>
    </ul>
  )
}

/** Display text of a filter value. */
function filterLabel(name: FacetName | 'attribute', value: string): string {
  if (name === 'attribute') {
    return value.replace(':..', ':up to ').replace(':', ': ').replace(/\.\.$/, ' or more').replace('..', '–')
  }
  if (name === 'inStock') return 'In stock'
  if (name !== 'price') return value
  const [from, below] = priceBands[value as PriceBand]
  if (from === 0) return `Under $${below}`
  return Number.isFinite(below) ? `$${from} to $${below}` : `$${from} and up`
}
