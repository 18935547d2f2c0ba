import { renderToString } from 'react-dom/server'
import { type ErrorCode, errors } from '../contract/errors.ts'
import { App } from './app.tsx'
import { type PageFiles, renderColors, renderDocument } from './document.ts'
import { loaders } from './loaders/loaders.ts'
import type { PageQueries, PageSettings, PublicSettings } from './page-context.ts'
import { dashboardRoutes } from './router/dashboard-routes.ts'
import { type Page, type PageResult, type RouteModule, toRedirect } from './router/page.ts'
import { createMatcher, type Match, routes, toPagePath } from './router/routes.ts'
import { renderStructuredData } from './seo/structured-data.ts'

export { inlineScript, type PageFiles } from './document.ts'
export type { PageResult } from './router/page.ts'

export interface RenderContext {
  settings: PublicSettings
  /** Returns the files that these route modules need in the browser. Null renders a page without scripts. */
  files: ((modules: readonly string[]) => PageFiles) | null
  /** Logs an error and returns the status of its error page. */
  toStatus: (error: unknown) => number
}

interface RenderedPage {
  status: number
  headers: Record<string, string>
  body: string
  /** The inline style of the document; empty if there is none. */
  style: string
}

const matchRoute = createMatcher([...routes, ...dashboardRoutes])

const modules = import.meta.glob<RouteModule>(
  ['./pages/*.tsx', './layouts/{signed-in,admin-only,dashboard}.tsx'],
  { eager: true },
)

function findRouteModules(names: readonly string[]): RouteModule[] {
  return names.map((name) => {
    const module = modules[`./pages/${name}.tsx`] ?? modules[`./layouts/${name}.tsx`]
    if (!module) throw new Error(`There is no page ${name}.`)
    return module
  })
}

/** Returns the query parameters that the page at a path reads. It may also be the path of its data. */
export function findParameters(pathname: string): readonly string[] | undefined {
  const match = matchRoute(toPagePath(pathname) ?? pathname)
  return match && findRouteModules(match.route.modules).at(-1)?.parameters
}

/** Loads the data of the page at a URL (path and query). */
export async function loadPage(url: string, queries: PageQueries): Promise<PageResult> {
  const { location, match } = parsePageUrl(url)
  const loader = loaders[match?.route.modules.at(-1) ?? '']
  const [loaded, settings] = await Promise.all([
    match && loader?.({ url: location, params: match.params, queries }),
    queries.settings(),
  ])
  const result: PageResult = { data: null, status: match ? 200 : 404, ...loaded, settings }
  // Read last, so that a redirect never hides a page.
  const isMissing = 'status' in result && (result.status === 404 || result.status === 410)
  const target = isMissing ? await queries.redirect(toPagePath(location.pathname) ?? location.pathname) : null
  return target === null ? result : { redirect: target, search: '', settings }
}

/** Renders the page at a URL, or only its data. The URL and the result of `loadPage` determine the output. */
export function renderPage(url: string, result: PageResult, context: RenderContext): RenderedPage {
  const { location, match, isData } = parsePageUrl(url)
  if (isData) return dataOnly(result, context)
  if (result.search !== undefined) location.search = result.search
  if ('redirect' in result) {
    return {
      status: 301,
      headers: { location: toRedirect(result.redirect, location.search) },
      body: '',
      style: '',
    }
  }
  return renderHtml(location, match, result, context)
}

/** The origin is constant, because no page depends on the requested host. */
function parsePageUrl(url: string) {
  const location = new URL(`http://shop.invalid${url}`)
  const pagePath = toPagePath(location.pathname)
  return { location, match: matchRoute(pagePath ?? location.pathname), isData: pagePath !== undefined }
}

/**
 * For an error status, adds the code and message of an API error to the data. It has only the
 * settings that can change without a new document.
 */
function dataOnly(
  { search: _search, settings, ...read }: PageResult,
  { files }: RenderContext,
): RenderedPage {
  const result = { ...read, settings: { hasBikes: settings.hasBikes, legalPages: settings.legalPages } }
  const status = 'status' in result ? result.status : 200
  const code = status >= 400 ? (errorCodes[status] ?? 'INTERNAL') : null
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      // Identifies the version of the shop.
      ...(files && { 'shop-entry': files([]).entry }),
    },
    body: JSON.stringify(code ? { code, message: errors[code].message, ...result } : result),
    style: '',
  }
}

const errorCodes: Record<number, ErrorCode> = { 404: 'NOT_FOUND', 410: 'GONE', 503: 'UNAVAILABLE' }

type Shown = Exclude<PageResult, { redirect: string }>

function renderHtml(
  url: URL,
  match: Match | undefined,
  { data, status, settings: read }: Shown,
  context: RenderContext,
): RenderedPage {
  const { files } = context
  const { details, ...shown } = read
  const settings: PageSettings = { ...context.settings, ...shown }
  const names = (status < 500 && match?.route.modules) || []
  const { pathname, search } = url
  const location = { pathname, search, hash: '', state: null }
  const page: Page = { location, params: match?.params ?? {}, modules: findRouteModules(names), data, status }
  try {
    const style = renderColors(details)
    const body = renderDocument({
      html: renderToString(<App first={page} settings={settings} />),
      structuredData: renderStructuredData(names.at(-1), page, settings, details),
      data: { modules: names, params: page.params, data, status, settings },
      files: files?.(names) ?? null,
      icon: details.icon,
      style,
    })
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    return { status, headers, body, style }
  } catch (error) {
    // An error page needs no data. If it fails too, throw instead of trying again.
    if (names.length === 0) throw error
    const failed = { data: null, status: context.toStatus(error), settings: read }
    return renderHtml(url, undefined, failed, context)
  }
}
