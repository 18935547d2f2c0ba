import { type Chosen, facets } from '../../../contract/product-filters.ts'
import { Link } from '../../router/link.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { filterLabel } from './filter-labels.ts'
import { listLink, toggleLink } from './list-links.ts'

/** The active filters: each can be removed, or all together. */
export function ProductChips({ chosen, q, search }: { chosen: Chosen; q: string; search: string }) {
  const chips = facets.flatMap(({ name, title }) =>
    (chosen[name] ?? []).map((value) => ({ name, value, title, label: filterLabel(name, value) })),
  )
  if (chips.length === 0 && !q) return null
  const look = `inline-flex min-h-11 max-w-full items-center gap-2 rounded-control border border-edge bg-surface px-3
    text-sm font-semibold hover:border-ink hover:bg-shade md:min-h-9`
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2">
      {q && (
        <li className="max-w-full">
          <Link
            href={listLink(search, { q: '', sort: '' })}
            aria-label={`Remove search: ${q}`}
            className={look}
          >
            <span className="truncate">“{q}”</span> <CloseIcon className="size-4 shrink-0" />
          </Link>
        </li>
      )}
      {chips.map(({ name, value, label, title }) => (
        <li key={`${name} ${value}`} className="max-w-full">
          <Link
            href={toggleLink(search, name, value)}
            keepScroll
            aria-label={`Remove ${title}: ${label}`}
            className={look}
          >
            <span className="truncate">{label}</span> <CloseIcon className="size-4 shrink-0" />
          </Link>
        </li>
      ))}
      <li>
        <a
          href="/products"
          className="inline-flex min-h-11 items-center px-2 text-sm font-semibold text-signal underline md:min-h-9"
        >
          Clear all
        </a>
      </li>
    </ul>
  )
}
