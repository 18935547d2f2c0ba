import { useMatches, useRouteError, useRouteLoaderData } from 'react-router'
import type { PublicSettings } from '../context.ts'
import { canonicalPath } from '../found/canonical.ts'

/** Tells search engines the page's one address, or that it is none for them. */
export function Findable() {
  const page = useMatches().at(-1)
  const settings = useRouteLoaderData<PublicSettings>('root')
  const failed = (useRouteError() ?? null) !== null
  const path = failed ? null : canonicalPath(page)
  if (path === null || !settings) return <meta name="robots" content="noindex" />
  return <link rel="canonical" href={settings.origin + path} />
}
