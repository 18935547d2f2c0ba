import { renderToString } from 'react-dom/server'
import { type ErrorCode, errors } from '../contract/errors.ts'
import { App } from './app.tsx'
import type { PublicSettings, ShopReads } from './context.ts'
import { documentOf, type PageFiles } from './document.ts'
import { describedFor } from './found/head.ts'
import { pageHead } from './found/page-head.ts'
import { loaders } from './loaders/loaders.ts'
import type { Page, PageAnswer, PageHandle, PagePart } from './router/page.ts'
import { pathOfData } from './router/page-data.ts'
import type { Match } from './router/route.ts'
import { matchRoute } from './routes.ts'
import { startGuard } from './shell/start-guard.ts'

export type { PageFiles } from './document.ts'

/** The script that documents run from within themselves: a policy has to allow it. */
export const inlineScript = startGuard

export interface RenderContext {
  shop: ShopReads
  settings: PublicSettings
  /** The files that bring the page of these parts to life; null: it shall do without. */
  files: ((parts: readonly string[]) => PageFiles) | null
  /** Takes what went wrong while a page was read or drawn. */
  report: (error: unknown) => void
}

export interface RenderedPage {
  status: number
  headers: Record<string, string>
  body: string
}

const parts = import.meta.glob<PagePart>('./pages/*.tsx', { eager: true })

function partsOf(names: readonly string[]): PagePart[] {
  return names.map((name) => {
    const part = parts[`./pages/${name}.tsx`]
    if (!part) throw new Error(`There is no page ${name}.`)
    return part
  })
}

/** What the page at a path says to the server; also where only its data are asked for. */
export function handleOf(pathname: string): PageHandle | undefined {
  const match = matchRoute(pathOfData(pathname) ?? pathname)
  return match && partsOf(match.route.parts).at(-1)?.handle
}

/** Renders the page at an address, or answers its data alone. A loader that throws a Response stops with that status. */
export async function renderPage(address: string, context: RenderContext): Promise<RenderedPage> {
  // The origin is a constant: a page never learns which host was asked, nor by whom.
  const url = new URL(`http://shop.invalid${address}`)
  const path = pathOfData(url.pathname)
  const match = matchRoute(path ?? url.pathname)
  const answer = match ? await load(url, match, context) : notFound
  if (path !== undefined) return dataAlone(answer)
  if ('redirect' in answer) return { status: 301, headers: { location: answer.redirect }, body: '' }
  return draw(url, match, answer, context)
}

const notFound = { data: null, status: 404 }

async function load(url: URL, { route, params }: Match, context: RenderContext): Promise<PageAnswer> {
  const loader = loaders[route.parts.at(-1) ?? '']
  try {
    const loaded = await loader?.({ url, params, shop: context.shop })
    return { data: null, status: 200, ...loaded }
  } catch (error) {
    return { data: null, status: failure(error, context) }
  }
}

/** The status that a failure comes to: a Response that was thrown says it itself. */
function failure(error: unknown, { report }: RenderContext): number {
  if (error instanceof Response) return error.status
  report(error)
  return 500
}

/** Where the page has another status than 200 its data come with a refusal, in the shape of all others. */
function dataAlone(answer: PageAnswer): RenderedPage {
  const status = 'status' in answer ? answer.status : 200
  const code = status >= 400 ? (refusals[status] ?? 'INTERNAL') : null
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(code ? { code, message: errors[code].message, ...answer } : answer),
  }
}

const refusals: Record<number, ErrorCode> = { 404: 'NOT_FOUND', 410: 'GONE', 503: 'UNAVAILABLE' }

type Shown = Exclude<PageAnswer, { redirect: string }>

function draw(
  url: URL,
  match: Match | undefined,
  { data, status }: Shown,
  context: RenderContext,
): RenderedPage {
  const { settings, files } = context
  const names = (status < 500 && match?.route.parts) || []
  const { pathname, search } = url
  const location = { pathname, search, hash: '', state: null }
  const page: Page = { location, params: match?.params ?? {}, parts: partsOf(names), data, status }
  try {
    const body = documentOf({
      html: renderToString(<App first={page} settings={settings} />),
      head: pageHead(page, settings.origin),
      described: describedFor(names.at(-1), page, settings),
      data: { parts: names, data, status, settings },
      files: files?.(names) ?? null,
    })
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    return { status, headers, body }
  } catch (error) {
    // What stands in for a page reads nothing and has nothing that could fail.
    if (names.length === 0) throw error
    return draw(url, undefined, { data: null, status: failure(error, context) }, context)
  }
}
