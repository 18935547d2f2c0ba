import { Fragment } from 'react'
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
import { toggleFitLink, toggleLink } from './list-choice.ts'
import { listLink } from './list-links.ts'

interface ProductFiltersProps {
  counts: ProductFacets
  chosen: Chosen
  fit: FitChoice[]
  /** Query string of the list, without its page. */
  search: string
}

/** Further values are behind a disclosure. */
const maxShownValues = 8

/**
 * The filters of the product list. They are links, so they work without JavaScript. On a phone they are a popover, on a
 * wide screen a column beside the list.
 */
export function ProductFilters({ counts, chosen, fit, search }: ProductFiltersProps) {
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
            {name === 'kind' && (
              <AttributeFilters
                attributes={counts.attributes}
                chosen={chosen.attribute ?? []}
                search={search}
              />
            )}
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
            label={fitChoiceLabels[value]}
            count={countLabel(counts[value].count, counts[value].estimated)}
          />
        ))}
      </ul>
    </section>
  )
}

interface FilterOptionProps {
  href: string
  isChosen: boolean
  label: string
  count: string
}

/** A link, so it does not look like a checkbox. */
const FilterOption = ({ href, isChosen, label, count }: FilterOptionProps) => (
  <li>
    <Link
      href={href}
      keepScroll
      aria-current={isChosen ? 'true' : undefined}
      className="group -mx-2 flex min-h-11 items-center gap-2 rounded-control px-2 hover:bg-shade
        aria-current:bg-ink aria-current:font-semibold aria-current:text-white lg:pointer-fine:min-h-8"
    >
      <span className="min-w-0 grow wrap-anywhere group-hover:underline">{label}</span>
      {isChosen && <CloseIcon className="size-4 shrink-0" />}
      <span className="shrink-0 text-sm tabular-nums opacity-80">{count}</span>
    </Link>
  </li>
)

interface AttributeFiltersProps {
  attributes: ProductFacets['attributes']
  /** Such as `Length:140..150`. */
  chosen: string[]
  search: string
}

/** A filter for each attribute of the chosen kind of part. Its values have the chosen ones. */
const AttributeFilters = ({ attributes = [], chosen, search }: AttributeFiltersProps) =>
  attributes.map((attribute, index) => {
    const toChoice = (value: string) => `${attribute.name}:${value}`
    return (
      <Filter
        key={attribute.name}
        id={`filter-attribute-${index}`}
        title={attribute.name}
        facet={attribute}
        chosen={attribute.values.flatMap(({ value }) => (chosen.includes(toChoice(value)) ? value : []))}
        toHref={(value) => toggleLink(search, 'attribute', toChoice(value))}
      />
    )
  })

interface FilterProps {
  /** For the element of its title. */
  id: string
  title: string
  facet: { values: { value: string; count: number; label?: string }[]; estimated: boolean }
  chosen: string[]
  toHref: (value: string) => string
  /** Default: the label of the value. */
  toLabel?: (value: string) => string
}

function Filter({ id, title, facet: { values, estimated }, chosen, toHref, toLabel }: FilterProps) {
  if (values.length === 0 && chosen.length === 0) return null
  const isChosen = (value: string) => chosen.includes(value)
  // A chosen value without matches is listed as well, so that it can be removed.
  const missing = chosen.filter((value) => !values.some((other) => other.value === value))
  const all = [...missing.map((value) => ({ value, count: 0 })), ...values]
  const isShort = all.length <= maxShownValues + 1
  const shown = isShort ? all : all.toSorted((a, b) => Number(isChosen(b.value)) - Number(isChosen(a.value)))
  const option = ({ value, count, label = value }: { value: string; count: number; label?: string }) => (
    <FilterOption
      key={value}
      href={toHref(value)}
      isChosen={isChosen(value)}
      label={toLabel ? toLabel(value) : label}
      count={countLabel(count, estimated)}
    />
  )
  // Every chosen value stays visible.
  const visible = isShort ? shown.length : Math.max(maxShownValues, chosen.length)
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="label mb-1 text-quiet">
        {title}
      </h3>
      <ul>{shown.slice(0, visible).map(option)}</ul>
      {visible < shown.length && (
        <details>
          <summary className="min-h-11 py-2 font-semibold text-signal lg:pointer-fine:min-h-8 lg:pointer-fine:py-1">
            {shown.length - visible} more
          </summary>
          <ul>{shown.slice(visible).map(option)}</ul>
        </details>
      )}
    </section>
  )
}

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
  const words = { label: `“${q}”`, href: listLink(search, { q: '', sort: '' }), removes: `search: ${q}` }
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
  if (name === 'attribute') return value.replace(':', ': ').replace('..', '–')
  if (name === 'inStock') return 'In stock'
  if (name !== 'price') return value
  const [from, below] = priceBands[value as PriceBand]
  if (from === 0) return `Under $${below}`
  return Number.isFinite(below) ? `$${from} to $${below}` : `$${from} and up`
}

const counts = new Intl.NumberFormat('en-US')

/** Formats a count; an estimate starts with `about`. */
export const countLabel = (count: number, estimated: boolean): string =>
  `${estimated ? 'about ' : ''}${counts.format(count)}`
