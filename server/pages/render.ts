import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type * as WebApp from '../../web/entry.server.tsx'
import type { LoadedSettings, PageQueries, PublicSettings } from '../../web/page-context.ts'
import type { CacheSource } from '../http/cache.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import { type PreparedResponse, prepareResponse } from '../http/send-response.ts'
import { isDatabaseUnavailable, logUnavailable } from '../platform/errors.ts'
import { createHistogram } from '../platform/telemetry/metrics.ts'
import type { PageBuild } from './builds.ts'

export interface RenderOptions extends PageBuild {
  /** Runs work with the queries of the public pages. It may run twice. */
  withQueries: <Result>(fresh: boolean, work: (queries: PageQueries) => Promise<Result>) => Promise<Result>
  settings: PublicSettings
  /** Returns the settings of the shop that were read last. */
  lastSettings: () => LoadedSettings
  log: FastifyBaseLogger
}

/** Returns the source of the page at a URL, given as path and query. */
export type PageSource = (url: string) => CacheSource<WebApp.PageResult>

/**
 * Pages do not depend on the visitor: the server never sees the access token, which is in the browser.
 *
 * @param toKey returns the cache key of a URL
 */
export async function createPageSource(
  options: RenderOptions,
  toKey = (url: string) => url,
): Promise<PageSource> {
  const { app, withQueries, lastSettings } = options
  const context = createContext(options)
  let shown = lastSettings()
  let unavailable = await renderUnavailable(options, shown)
  return (url) => ({
    async read(fresh) {
      const { loadPage } = await app()
      const result = await withQueries(fresh, (queries) => loadPage(url, queries)).catch(
        (error: unknown) => ({
          data: null,
          status: context.toStatus(error),
          settings: lastSettings(),
        }),
      )
      if (!isDeepStrictEqual(result.settings, shown)) {
        shown = result.settings
        unavailable = await renderUnavailable(options, shown)
      }
      return result
    },
    toKey: ({ search }) => (search === undefined ? url : toKey(url.replace(/\?.*/s, '') + search)),
    render: (response) => render(url, response, options, context),
    unavailable: () => unavailable,
  })
}

/** Renders the error page for an overloaded shop. It works without scripts. */
export const renderUnavailable = (
  options: RenderOptions,
  settings: LoadedSettings,
): Promise<PreparedResponse> =>
  render('/', { data: null, status: 503, settings }, options, {
    ...createContext(options),
    files: null,
  })

const renderDurations = createHistogram({
  name: 'shop_render_duration_seconds',
  help: 'Time to render a page from its data.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
})

const createContext = ({ settings, files, log }: RenderOptions): WebApp.RenderContext => ({
  settings,
  files,
  toStatus(error) {
    const isTemporary = isDatabaseUnavailable(error)
    if (isTemporary) logUnavailable(log, error)
    else log.error({ err: error }, 'unexpected error')
    return isTemporary ? 503 : 500
  },
})

const toSource = (content: string): string => `sha256-${hash('sha256', content, 'base64')}`

async function render(
  url: string,
  response: WebApp.PageResult,
  options: RenderOptions,
  context: WebApp.RenderContext,
): Promise<PreparedResponse> {
  const { app, development, settings } = options
  const { renderPage, inlineScript } = await app()
  const stopTimer = renderDurations.startTimer()
  const { status, headers, body, style } = renderPage(url, response, context)
  stopTimer()
  if (status === 503) headers['retry-after'] = '2'
  if (!headers['content-type']?.startsWith('text/html')) {
    return prepareResponse({ status, headers, body: Buffer.from(body) })
  }
  headers['content-security-policy'] = contentSecurityPolicy({
    scripts: [toSource(inlineScript)],
    styles: style ? [toSource(style)] : [],
    isSecure: settings.origin.startsWith('https:'),
    stripe: settings.stripe.script === null,
    development: development !== undefined,
  })
  const html = development ? await development.finish(url, body) : body
  return prepareResponse({ status, headers, body: Buffer.from(html) })
}
