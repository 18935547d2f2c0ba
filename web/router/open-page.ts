import { readAccessToken } from '../access-token.ts'
import { withRetry } from '../retry.ts'
import type { PageResult } from './page.ts'
import { pageDataPath } from './page-data.ts'
import { isReachable } from './reachable.ts'
import { loadRouteModules } from './route-modules.ts'
import type { OpenPage } from './router.tsx'
import { matchRoute } from './routes.ts'

type Read = { result: PageResult } | { failure: number }

/** The status of a page that cannot be loaded because the shop cannot be reached. */
const unreachable = 0

/**
 * Loads everything that a page is rendered from. If its code is missing, or the shop has no such page, the document is loaded
 * instead: it comes with the current code. While the shop cannot be reached, the visitor stays in the present document.
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

/** The address is already that of the wanted page, unless another one is wanted by now. */
function loadDocument(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) window.location.reload()
  return new Promise(() => {})
}

/** Repeats a failed read, but not while the shop cannot be reached: then the visitor is shown that immediately. */
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
  // With a token, and past the browser's own cache, so that a customer sees their own changes.
  const token = readAccessToken()?.token
  const headers = new Headers(token ? { authorization: `Bearer ${token}` } : {})
  const response = await fetch(pageDataPath(pathname) + search, { signal, headers, cache: 'no-cache' })
  const { status } = response
  if (status === 429 || status >= 500)
    throw Object.assign(new Error('The page could not be read.'), { status })
  return (await response.json()) as PageResult
}

const readStatus = (failure: unknown) => (failure as { status?: number } | null)?.status
