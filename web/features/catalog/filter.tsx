import type { ReactNode } from 'react'
import { Link } from '../../router/router.tsx'
import { CloseIcon } from '../../ui/icons.tsx'

/** Further values are behind a disclosure. */
const maxShownValues = 8

interface FilterOptionProps {
  href: string
  isChosen: boolean
  /** Chosen, and stays so: it has no cross. */
  isFixed?: boolean
  label: string
  count: string
}

/** A link, so it does not look like a checkbox. */
export const FilterOption = ({ href, isChosen, isFixed = false, label, count }: FilterOptionProps) => (
  <li>
    <Link
      href={href}
      keepScroll
      aria-current={isChosen ? 'true' : undefined}
      className="group -mx-2 flex min-h-11 items-center gap-2 rounded-control px-2 hover:bg-shade
        aria-current:bg-ink aria-current:font-semibold aria-current:text-white lg:pointer-fine:min-h-8"
    >
      <span className="min-w-0 grow wrap-anywhere group-hover:underline">{label}</span>
      {isChosen && !isFixed && <CloseIcon className="size-4 shrink-0" />}
      <span className="shrink-0 text-sm tabular-nums opacity-80">{count}</span>
    </Link>
  </li>
)

interface FilterProps {
  /** For the element of its title. */
  id: string
  title: string
  facet: { values: { value: string; count: number; label?: string }[]; estimated: boolean }
  chosen: string[]
  toHref: (value: string) => string
  /** Default: the label of the value. */
  toLabel?: (value: string) => string
  children?: ReactNode
}

/** A filter with a link for each value. */
export function Filter({
  id,
  title,
  facet: { values, estimated },
  chosen,
  toHref,
  toLabel,
  children,
}: FilterProps) {
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
      {children}
    </section>
  )
}

const counts = new Intl.NumberFormat('en-US')

/** Formats a count; an estimate starts with `about`. */
export const countLabel = (count: number, estimated: boolean): string =>
  `${estimated ? 'about ' : ''}${counts.format(count)}`
