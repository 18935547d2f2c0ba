import { type MouseEvent, useId } from 'react'
import { withBike } from '../../../contract/bike-urls.ts'
import { type ChoiceValue, type ChosenProduct, describeAvailability } from '../../../contract/choice.ts'
import { type Choice, choiceNames, choiceSearch, readChoice } from '../../../contract/choice-urls.ts'
import { Link, useLocation, usePendingUrl } from '../../router/router.tsx'
import { Swatch } from '../../ui/icons.tsx'

interface ChoiceLinksProps {
  chosen: ChosenProduct
  /** Id for the sentence about the availability. */
  availabilityId: string
  /** The bike in the URL, which stays in it. */
  bike: number | null
  /** Whether the choice cannot be changed. */
  isFixed?: boolean
  /** Whether the buyer has pressed a button before all choices were made. */
  isAsked?: boolean
}

const legends = { size: 'Size', colour: 'Colour' }

/** The choice in the URL. A new one takes effect at once, so that a button pressed next does not use the previous one. */
export function useChoice(): Choice {
  const { pathname, search } = useLocation()
  const next = usePendingUrl()
  return readChoice(next?.pathname === pathname ? next.search : search)
}

/** Moves the focus to the first choice that is missing. */
export const focusMissing = ({ missing: [first] }: ChosenProduct) =>
  document.querySelector<HTMLElement>(`#choose-${first} a`)?.focus()

/** The sizes and colours of a product as links, so that a choice can be shared and works without scripts. */
export function ChoiceLinks({
  chosen,
  availabilityId,
  bike,
  isFixed = false,
  isAsked = false,
}: ChoiceLinksProps) {
  const lists = choiceNames.filter((name) => chosen.values[name].length > 0)
  if (lists.length === 0) return null
  return (
    <div className="flex flex-col gap-4">
      {lists.map((name) => (
        <ValueLinks
          key={name}
          name={name}
          isAsked={isAsked && chosen.missing.includes(name)}
          values={chosen.values[name]}
          bike={bike}
          isFixed={isFixed}
        />
      ))}
      {chosen.product.options === 'variants' && (
        // Its height is reserved, because a choice can change it.
        <p id={availabilityId} role="status" className="min-h-6 font-semibold">
          {describeAvailability(chosen)}
        </p>
      )}
    </div>
  )
}

interface ValueLinksProps {
  name: keyof typeof legends
  isAsked: boolean
  values: ChoiceValue[]
  bike: number | null
  isFixed: boolean
}

function ValueLinks({ name, isAsked, values, ...common }: ValueLinksProps) {
  const id = useId()
  return (
    <div id={`choose-${name}`}>
      <p id={id} className="mb-1 text-sm font-semibold">
        {legends[name]}
      </p>
      {isAsked && (
        <p role="alert" className="mb-1 font-semibold text-bad">
          Choose a {name}.
        </p>
      )}
      <ul aria-labelledby={id} className="flex flex-wrap gap-2">
        {values.map((value) => (
          <li key={value.value}>
            <ValueLink {...value} {...common} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const notes = { inStock: null, outOfStock: 'out of stock', notOffered: 'not available' }

function ValueLink({
  value,
  swatch,
  isChosen,
  availability,
  choice,
  bike,
  isFixed,
}: ChoiceValue & Pick<ValueLinksProps, 'bike' | 'isFixed'>) {
  const note = notes[availability]
  return (
    <Link
      // A question mark alone clears the query.
      href={withBike(choiceSearch(choice), bike) || '?'}
      replace
      keepScroll
      {...(isFixed && {
        'aria-disabled': true,
        onClick: (event: MouseEvent) => event.preventDefault(),
      })}
      aria-current={isChosen ? 'true' : undefined}
      className={`flex min-h-11 min-w-12 items-center justify-center gap-2 rounded-control border border-edge bg-surface px-3
        font-semibold wrap-anywhere hover:border-ink aria-current:border-ink aria-current:bg-ink aria-current:text-white
        aria-disabled:cursor-not-allowed not-aria-current:aria-disabled:border-line not-aria-current:aria-disabled:bg-shade
        not-aria-current:aria-disabled:text-quiet
        ${note ? 'border-dashed text-quiet' : ''}`}
    >
      {swatch && <Swatch colour={swatch} />}
      <span className={note ? 'line-through' : ''}>
        {value}
        {note && <span className="sr-only">{` (${note})`}</span>}
      </span>
    </Link>
  )
}
