import { ErrorState } from '../ui/error-state.tsx'

/** Stands in for a page that could not be shown. */
export function Broken() {
  return (
    <div className="page-width py-16">
      <ErrorState
        wholePage
        title="This page could not be loaded"
        message="The shop did not answer as it should."
        onRetry={() => window.location.reload()}
      />
    </div>
  )
}
