import { Broken } from './broken.tsx'
import { NotFound } from './not-found.tsx'
import { Unavailable, unreachableTitle } from './unavailable.tsx'

/** Stands in for a page that cannot be shown, and tells why. */
export function StandIn({ status }: { status: number }) {
  if (status === 404) return <NotFound />
  return status === 503 || status === 0 ? <Unavailable status={status} /> : <Broken />
}

export function standInTitle(status: number): string {
  if (status === 0) return unreachableTitle
  if (status === 404) return 'Page not found'
  return status === 503 ? 'The shop cannot answer right now' : 'Something went wrong'
}
