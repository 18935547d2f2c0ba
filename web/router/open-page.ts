import { withRetry } from '../retry.ts'
import { matchRoute } from '../routes.ts'
import type { PageAnswer } from './page.ts'
import { pageDataPath } from './page-data.ts'
import { loadParts } from './parts.ts'
import type { OpenPage } from './router.tsx'

type Read = { answer: PageAnswer } | { failure: unknown }

/**
 * Gets all that a page is drawn from. Where its data can't be had the page says so. Where a part of it can't be loaded the
 * document is loaded anew, which knows the newer parts.
 */
export const openPage: OpenPage = async (url, signal) => {
  const { pathname, search, hash } = url
  const { route, params = {} } = matchRoute(pathname) ?? {}
  const [parts, read] = await Promise.all([
    loadParts(route?.parts ?? []).catch(() => loadDocument(signal)),
    route?.loads ? readData(url, signal) : { answer: { data: null, status: 200 } },
  ])
  const place = { location: { pathname, search, hash, state: window.history.state as unknown }, params }
  if ('failure' in read) return { ...place, parts: [], data: null, status: statusOf(read.failure) ?? 500 }
  return 'redirect' in read.answer ? read.answer : { ...place, ...read.answer, parts }
}

/** The address is that of the wanted page already, unless another is wanted by now. Nothing follows in this document. */
function loadDocument(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) window.location.reload()
  return new Promise(() => {})
}

const readData = (url: URL, signal: AbortSignal): Promise<Read> =>
  withRetry(() => fetchData(url, signal), signal).then(
    (answer) => ({ answer }),
    (failure: unknown) => ({ failure }),
  )

async function fetchData({ pathname, search }: URL, signal: AbortSignal): Promise<PageAnswer> {
  const response = await fetch(pageDataPath(pathname) + search, { signal })
  const { status } = response
  if (status === 429 || status >= 500)
    throw Object.assign(new Error('The page could not be read.'), { status })
  return (await response.json()) as PageAnswer
}

const statusOf = (failure: unknown) => (failure as { status?: number } | null)?.status
