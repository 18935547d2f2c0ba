import { ErrorState } from '../ui/error-state.tsx'

/** Stands in for a page that the shop cannot show at the moment: its database is away, or too many ask at once. */
export function Unavailable() {
  return (
    <div className="page-width py-16">
      <ErrorState
        wholePage
        title="The shop cannot answer right now"
        message="Please try again in a moment."
      />
    </div>
  )
}
