import { useId } from 'react'
import { navigate } from '../router/navigation.ts'
import { selectClass } from './control.ts'

export interface SortSelectProps {
  /** Column headers and the fields to sort by. */
  fields: { head: string; sort: string }[]
  sortedBy: string | undefined
  sortLink: (sort: string) => string
}

/** Order of a list on a phone, where the table has no visible headers. */
export function SortSelect({ fields, sortedBy = '', sortLink }: SortSelectProps) {
  const id = useId()
  return (
    <div className="mb-4 flex items-center gap-3 md:hidden">
      <label htmlFor={id} className="shrink-0 text-sm font-semibold">
        Sort by
      </label>
      <select
        id={id}
        value={sortedBy}
        onChange={(event) => navigate(sortLink(event.target.value), { keepScroll: true })}
        className={`${selectClass} h-11`}
      >
        <option value="">Default order</option>
        {fields.flatMap(({ head, sort }) => [
          <option key={sort} value={sort}>
            {head}, ascending
          </option>,
          <option key={`-${sort}`} value={`-${sort}`}>
            {head}, descending
          </option>,
        ])}
      </select>
    </div>
  )
}
