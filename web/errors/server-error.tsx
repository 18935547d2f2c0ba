import { reloadPage } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'
import { ErrorState } from '../ui/error-state.tsx'

/** Error page for unexpected errors on the server or during rendering. */
export function ServerError() {
  const location = useLocation()
  return (
    <div className="page-width py-16">
      <ErrorState
        wholePage
        title="This page could not be loaded"
        message="Something went wrong on our side."
        onRetry={() => void reloadPage(location)}
      />
    </div>
  )
}
