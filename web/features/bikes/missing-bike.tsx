import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Replaces the page of a make, model or year that the shop does not have. */
export function MissingBike() {
  return (
    <div className="page-width py-16">
      <EmptyState
        wholePage
        title="We do not have this bike in our list."
        action={<LinkButton href="/bikes">Choose your bike</LinkButton>}
      >
        You can still order: compare the part number.
      </EmptyState>
    </div>
  )
}
