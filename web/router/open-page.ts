import { readAccessToken } from '../access-token.ts'
import { isTemporary, withRetry } from '../retry.ts'
import type { ModuleFiles, PageResponse, RouteModule } from './page.ts'
import { isReachable } from './reachable.ts'
import type { OpenPage } from './router.tsx'
import { type Match, matchRoute, pageDataPath } from './routes.ts'

/**
 * Loads the modules and the data of a page. If the code or the route is missing, or the data are of another version,
 * reloads the document to get the current version. Returns an error page if the shop cannot be reached or the read fails.
 */
export const openPage: OpenPage = async (url, signal) => {
  const { pathname, search, hash } = url
  const { route, params = {} } = (await findMatch(pathname).catch(() => undefined)) ?? {}
  const [modules, result] = await Promise.all([
    route ? loadRouteModules(route.modules).catch(() => null) : null,
    route?.loads ? readData(url, signal) : { data: null, status: 200 },
  ])
  if ('redirect' in result) return result
  const location = { pathname, search, hash, state: window.history.state as unknown }
  if (isTemporary(result)) return { location, params, ...result, modules: [] }
  if (modules) return { location, params, ...result, modules }
  if (await isReachable()) return loadDocument(signal)
  return { location, params, data: null, status: 0, modules: [] }
}

/** The URL is already the new one, so a reload is enough. Does nothing if another navigation has started. */
function loadDocument(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) window.location.reload()
  return new Promise(() => {})
}

/** Reads the data of a page. Retries only while the shop can be reached. Returns the status of a failure, or 0. */
async function readData({ pathname, search }: URL, signal: AbortSignal): Promise<PageResponse> {
  // The token and `no-cache` bypass caches, so that customers see their own changes.
  const token = readAccessToken()
  const headers = new Headers(token ? { authorization: `Bearer ${token}` } : {})
  const read = async () => {
    const response = await fetch(pageDataPath(pathname) + search, { signal, headers, cache: 'no-cache' })
    const { status } = response
    if (isOtherVersion(response)) return loadDocument(signal)
    if (isTemporary(response)) throw Object.assign(new Error('The page could not be read.'), { status })
    // A proxy may have sent a page of its own.
    return (await response.json().catch((cause: unknown) => {
      throw Object.assign(new Error('The page data is not JSON.', { cause }), { status: 500 })
    })) as PageResponse
  }
  const canRetry = async () => !signal.aborted && (await isReachable())
  return withRetry(read, canRetry).catch(({ status = 0 }: { status?: number }) => ({ data: null, status }))
}

/** Whether the data come from a process with another version, as during a deploy: this code may not fit them. */
function isOtherVersion({ headers }: Response): boolean {
  const entry = headers.get('shop-entry')
  return entry !== null && ![...document.scripts].some(({ src }) => src.includes(entry))
}

/** Finds the route of a path. Rejects if a file is missing. */
async function findMatch(pathname: string): Promise<Match | undefined> {
  const found = matchRoute(pathname)
  if (found || !/^\/dashboard(\/|$)/i.test(pathname)) return found
  const layout = await loadRouteModule('dashboard', files)
  return layout.matchRoute?.(pathname)
}

/** The pages outside the dashboard. The dashboard layout has the list of all pages, which other visitors do not load. */
const files = import.meta.glob<RouteModule>([
  '../pages/{home,login,sign-up,forgot-password,reset-password,verify-email,confirm-email,products,product,product-fitment,bikes,bike-make,bike-model,bike-year,reviews,contact-us,blogs,document,purchase,cart,garage,checkout,order,withdraw,join}.tsx',
  '../layouts/{signed-in,admin-only,dashboard}.tsx',
])

/** Loads the modules of a page. Rejects if a file is missing, for example after a deployment. */
export async function loadRouteModules(names: readonly string[]): Promise<RouteModule[]> {
  const isInDashboard = names[0] === 'dashboard'
  const { pages = {} } = isInDashboard ? await loadRouteModule('dashboard', files) : {}
  return Promise.all(names.map((name) => loadRouteModule(name, { ...pages, ...files })))
}

function loadRouteModule(name: string, from: ModuleFiles): Promise<RouteModule> {
  const load = from[`../pages/${name}.tsx`] ?? from[`../layouts/${name}.tsx`]
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
  findMatch(link.pathname)
    .then((match) => match && loadRouteModules(match.route.modules))
    .catch(() => undefined)
}
