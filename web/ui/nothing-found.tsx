import { EmptyState } from './empty-state.tsx'
import { LinkButton } from './link-button.tsx'

export interface NothingFoundProps {
  /** The searched kind of object, in the singular. */
  thing: string
  q: string
}

/** Replaces a list if the search has no results. */
export function NothingFound({ thing, q }: NothingFoundProps) {
  return (
    <EmptyState
      title="No results"
      action={
        <LinkButton href="?" variant="quiet">
          Show all
        </LinkButton>
      }
    >
      No {thing} matches “{q}”.
    </EmptyState>
  )
}
