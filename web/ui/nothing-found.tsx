import { EmptyState } from './empty-state.tsx'
import { LinkButton } from './link-button.tsx'

export interface NothingFoundProps {
  /** What was searched, in the singular. */
  thing: string
  q: string
}

/** Stands in for a list that a search has left empty. */
export function NothingFound({ thing, q }: NothingFoundProps) {
  return (
    <EmptyState
      title="Nothing found"
      action={
        <LinkButton href="?" variant="quiet">
          Show all
        </LinkButton>
      }
    >
      No {thing} has “{q}” in it.
    </EmptyState>
  )
}
