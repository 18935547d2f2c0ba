import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { PublicSettings, ShopReads } from '../web/context.ts'
import type * as WebApp from '../web/entry.server.tsx'
import { type ReadyPage, readyPage } from './page-reply.ts'
import type { Shows } from './platform/changes.ts'
import { isDatabaseAway } from './platform/errors.ts'
import { reasonOf } from './platform/startup-error.ts'
import { contentSecurityPolicy } from './security-headers.ts'

/** The web application, built or as its sources stand. */
export interface WebBuild {
  app: () => Promise<typeof WebApp>
  files: NonNullable<WebApp.RenderContext['files']>
  /** Adds to a document what development needs. */
  finish?: (address: string, html: string) => Promise<string>
  mode: 'production' | 'development'
}

/** What the pages read; whoever reads says what is shown by it. */
export type OpenReads = (shows: Shows) => ShopReads

export interface RenderOptions extends WebBuild {
  shop: OpenReads
  settings: PublicSettings
  log: FastifyBaseLogger
}

/** Renders the page at an address. Without the database it is one that says so, with status 503. */
export type RenderPage = (address: string, shows: Shows) => Promise<ReadyPage>

/** No page depends on who asks for it: the access token lives in the browser. */
export function pageRenderer(options: RenderOptions): RenderPage {
  const { settings, files, log } = options
  return (address, shows) =>
    render(address, options, {
      shop: sayingWhenAway(options.shop(shows), log),
      settings,
      files,
      report: (error) => log.error(error),
    })
}

/** The reads, which answer a page with status 503 where the database is away, and are logged. */
function sayingWhenAway(shop: ShopReads, log: FastifyBaseLogger): ShopReads {
  return new Proxy(shop, {
    get(target, name: keyof ShopReads) {
      const read = target[name] as (...parameters: unknown[]) => Promise<unknown>
      return (...parameters: unknown[]) =>
        read(...parameters).catch((error: unknown) => {
          if (!isDatabaseAway(error)) throw error
          log.warn({ reason: reasonOf(error) }, 'a page could not be read: the database does not answer')
          throw new Response(null, { status: 503 })
        })
    },
  })
}

/** The page that says that the shop cannot answer, for when nothing can be rendered: it works without scripts. */
export function unavailablePage(options: RenderOptions): Promise<ReadyPage> {
  const refuse = () => Promise.reject(new Response(null, { status: 503 }))
  const { settings, log } = options
  return render('/', options, {
    shop: new Proxy({} as ShopReads, { get: () => refuse }),
    settings,
    files: null,
    report: (error) => log.error(error),
  })
}

async function render(address: string, options: RenderOptions, context: WebApp.RenderContext) {
  const { app, finish, settings, mode } = options
  const { renderPage, inlineScript } = await app()
  const { status, headers, body } = await renderPage(address, context)
  if (status === 503) headers['retry-after'] = '2'
  if (!headers['content-type']?.startsWith('text/html')) {
    return readyPage({ status, headers, body: Buffer.from(body) })
  }
  headers['content-security-policy'] = contentSecurityPolicy({
    scripts: [hashOf(inlineScript)],
    stripe: settings.stripe.script === null,
    development: mode === 'development',
  })
  const html = finish ? await finish(address, body) : body
  return readyPage({ status, headers, body: Buffer.from(html) })
}

/** As a Content-Security-Policy names an inline script. */
function hashOf(script: string): string {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`
}
