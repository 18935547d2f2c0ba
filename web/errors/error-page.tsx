import { NotFound } from './not-found.tsx'
import { ServerError } from './server-error.tsx'
import { Unavailable } from './unavailable.tsx'

/** Replaces a page that cannot be shown. Status 0: the shop did not respond. */
export function ErrorPage({ status }: { status: number }) {
  if (status === 404) return <NotFound />
  return status === 503 || status === 0 ? <Unavailable status={status} /> : <ServerError />
}
