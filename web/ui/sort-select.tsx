import { useId } from 'react'
import { navigate } from '../router/navigation.ts'
import { selectClass } from './control.ts'

export interface SortSelectProps {
  /** What can be sorted by: a word, and the field that the server knows. */
  fields: { head: string; sort: string }[]
  sortedBy: string | undefined
  sortLink: (sort: string) => string
}

/** Chooses the order of a list that has no heads to press, as cards on a phone have none. */
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
        <option value="">Usual order</option>
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
