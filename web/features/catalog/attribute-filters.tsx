import { type ComponentProps, useEffect, useRef } from 'react'
import type { AttributeFacet } from '../../../contract/attributes.ts'
import { buttonClass, controlClass } from '../../ui/button.tsx'
import { Filter } from './filter.tsx'
import { toggleLink } from './list-choice.ts'
import { listPath } from './list-links.ts'
import type { RefusedRange } from './list-query.ts'

interface AttributeFiltersProps {
  attributes: AttributeFacet[]
  /** Such as `Length:140..150`. */
  chosen: string[] | undefined
  range: RefusedRange | null
  search: string
}

/** A filter for each attribute of the chosen kind of part. Its values have the chosen ones. */
export const AttributeFilters = ({ attributes, chosen = [], range, search }: AttributeFiltersProps) =>
  attributes.map((attribute, index) => {
    const { name, type, unit, values } = attribute
    const id = `filter-attribute-${index}`
    const toChoice = (value: string) => `${name}:${value}`
    const own = values.flatMap(({ value }) => (chosen.includes(toChoice(value)) ? value : []))
    const refused = range?.name === name ? range : null
    return (
      <Filter
        key={name}
        id={id}
        title={name}
        facet={attribute}
        chosen={own}
        toHref={(value) => toggleLink(search, 'attribute', toChoice(value))}
      >
        {type === 'number' && (values.length > 1 || own.length > 0 || refused) && (
          <RangeForm {...{ id, name, unit, refused, search }} chosen={own} />
        )}
      </Filter>
    )
  })

interface RangeFormProps {
  id: string
  name: string
  unit: string | undefined
  /** Such as `140..150`. */
  chosen: string[]
  refused: RefusedRange | null
  search: string
}

/** The two ends of a number. The server reads them, and redirects to the list with the range among its filters. */
function RangeForm({ id, name, unit, chosen, refused, search }: RangeFormProps) {
  const [range = '', ...more] = chosen
  const [from = '', to = from] = more.length > 0 ? [] : range.split('..')
  const typed = refused ?? { from, to, error: null }
  const errorId = `${id}-error`
  return (
    <form action={listPath} className="flex flex-wrap items-end gap-2 py-2">
      {[...new URLSearchParams(search)].map(
        ([key, value]) =>
          !(key === 'attribute' && value.startsWith(`${name}:`)) && (
            <input key={`${key} ${value}`} type="hidden" name={key} value={value} />
          ),
      )}
      <input type="hidden" name="range" value={name} />
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="min-w-0 flex-1 text-sm text-quiet">
          {end === 'from' ? 'From' : 'To'}
          <RangeField
            name={end}
            value={typed[end]}
            aria-label={`${name} ${end}${unit ? `, ${unit}` : ''}`}
            aria-invalid={typed.error?.end === end ? true : undefined}
            aria-describedby={typed.error ? errorId : undefined}
          />
        </label>
      ))}
      <button type="submit" className={`${buttonClass('quiet', 'small')} h-11`}>
        Apply
      </button>
      {typed.error && (
        <p id={errorId} role="alert" className="basis-full text-sm font-semibold text-bad">
          {typed.error.message}
        </p>
      )}
    </form>
  )
}

function RangeField({ value, ...attributes }: ComponentProps<'input'> & { value: string }) {
  const input = useRef<HTMLInputElement>(null)
  const previous = useRef(value)
  // Follows back, forward and the links, but not while the user types, who may have begun before this code was loaded.
  useEffect(() => {
    const [field, shown] = [input.current, previous.current]
    previous.current = value
    if (!field || shown === value) return
    if (field !== document.activeElement || field.value === shown) field.value = value
  }, [value])
  return (
    <input
      {...attributes}
      ref={input}
      defaultValue={value}
      inputMode="decimal"
      autoComplete="off"
      maxLength={12}
      className={`${controlClass} h-11 px-2 tabular-nums`}
    />
  )
}
