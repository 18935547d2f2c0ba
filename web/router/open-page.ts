import { readAccessToken } from '../access-token.ts'
import { withRetry } from '../retry.ts'
import type { PageResult, RouteModule } from './page.ts'
import { isReachable } from './reachable.ts'
import type { OpenPage } from './router.tsx'
import { matchRoute, pageDataPath } from './routes.ts'

type Read = { result: PageResult } | { failure: number }

/** The status of a page that cannot be loaded because the shop cannot be reached. */
const unreachable = 0

/**
 * Loads the modules and the data of a page. If the code or the route is missing, reloads the document to get the current
 * version. Returns an error page if the shop cannot be reached or the read fails.
 */
export const openPage: OpenPage = async (url, signal) => {
  const { pathname, search, hash } = url
  const { route, params = {} } = matchRoute(pathname) ?? {}
  const [modules, read] = await Promise.all([
    route ? loadRouteModules(route.modules).catch(() => null) : null,
    route?.loads ? readData(url, signal) : { result: { data: null, status: 200 } },
  ])
  const location = { location: { pathname, search, hash, state: window.history.state as unknown }, params }
  if ('failure' in read) return { ...location, modules: [], data: null, status: read.failure }
  if ('redirect' in read.result) return read.result
  if (modules) return { ...location, ...read.result, modules }
  if (await isReachable()) return loadDocument(signal)
  return { ...location, modules: [], data: null, status: unreachable }
}

/** The URL is already the new one, so a reload is enough. Does nothing if another navigation has started. */
function loadDocument(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) window.location.reload()
  return new Promise(() => {})
}

/** Retries a failed read. If the shop cannot be reached, returns the failure immediately. */
const readData = (url: URL, signal: AbortSignal): Promise<Read> =>
  withRetry<Read>(async () => {
    try {
      return { result: await fetchData(url, signal) }
    } catch (error) {
      if (signal.aborted || (await isReachable())) throw error
      return { failure: readStatus(error) ?? unreachable }
    }
  }, signal).catch((error: unknown) => ({ failure: readStatus(error) ?? 500 }))

async function fetchData({ pathname, search }: URL, signal: AbortSignal): Promise<PageResult> {
  // The token and `no-cache` bypass caches, so that customers see their own changes.
  const token = readAccessToken()
  const headers = new Headers(token ? { authorization: `Bearer ${token}` } : {})
  const response = await fetch(pageDataPath(pathname) + search, { signal, headers, cache: 'no-cache' })
  const { status } = response
  if (status === 429 || status >= 500)
    throw Object.assign(new Error('The page could not be read.'), { status })
  return (await response.json()) as PageResult
}

const readStatus = (failure: unknown) => (failure as { status?: number } | null)?.status

const files = import.meta.glob<RouteModule>([
  '../pages/*.tsx',
  '../layouts/{signed-in,admin-only,dashboard}.tsx',
])

/** Loads the modules of a page. Rejects if a file is missing, for example after a deployment. */
export const loadRouteModules = (names: readonly string[]): Promise<RouteModule[]> =>
  Promise.all(names.map(loadRouteModule))

function loadRouteModule(name: string): Promise<RouteModule> {
  const load = files[`../pages/${name}.tsx`] ?? files[`../layouts/${name}.tsx`]
  return load ? load() : Promise.reject(new Error(`There is no page ${name}.`))
}

/**
 * Loads the code of a page when the user points at a link or focuses it. Ignores errors: the navigation handles them.
 * Does not prefetch data, which could be stale at the time of the click.
 */
export function prefetchOnIntent(): void {
  for (const name of ['pointerover', 'focusin', 'touchstart'] as const) {
    document.addEventListener(name, prefetch, { passive: true })
  }
}

function prefetch({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || link.origin !== window.location.origin) return
  const { route } = matchRoute(link.pathname) ?? {}
  if (route) loadRouteModules(route.modules).catch(() => undefined)
}
