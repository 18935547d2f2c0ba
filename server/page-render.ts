import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { PublicSettings, ShopReads } from '../web/context.ts'
import type * as Entry from '../web/entry.server.tsx'
import { allowMarkedScripts } from './inline-scripts.ts'
import { type ReadyPage, readyPage } from './page-reply.ts'
import type { Shows } from './platform/changes.ts'
import { isDatabaseAway } from './platform/errors.ts'
import { reasonOf } from './platform/startup-error.ts'
import { contentSecurityPolicy } from './security-headers.ts'

/** The web application, built or as its sources stand. */
export interface WebBuild {
  getBuild: () => Promise<ServerBuild>
  mode: 'production' | 'development'
}

/** What the pages read; whoever reads says what is shown by it. */
export type OpenReads = (shows: Shows) => ShopReads

export interface RenderOptions extends WebBuild {
  shop: OpenReads
  settings: PublicSettings
  log: FastifyBaseLogger
}

/** The header by which a page's route names the origins that it shows in frames; it is for us, and not sent. */
const framesHeader = 'x-frames'

/** Renders the page at an address. Without the database it is one that says so, with status 503. */
export type RenderPage = (address: string, shows: Shows) => Promise<ReadyPage>

/** No page depends on who asks for it: the access token lives in the browser. */
export function pageRenderer(options: RenderOptions): RenderPage {
  const { getBuild, mode, settings, log } = options
  const handle = createRequestHandler(getBuild, mode)

  return async (address, shows) => {
    const nonce = randomBytes(16).toString('base64url')
    const { entry } = await getBuild()
    const contexts = entry.module as unknown as typeof Entry
    const context = new RouterContextProvider()
    context.set(contexts.shopContext, sayingWhenAway(options.shop(shows), log))
    context.set(contexts.settingsContext, settings)
    context.set(contexts.nonceContext, nonce)
    context.set(contexts.reportContext, (error) => log.error(error))

    // The origin is a constant and no header is passed on: a page never learns which host or who asked for it.
    const response = await handle(new Request(`http://shop.invalid${address}`), context)
    return toPage(response, nonce, options)
  }
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
export async function unavailablePage(options: RenderOptions): Promise<ReadyPage> {
  const refuse = () => Promise.reject(new Response(null, { status: 503 }))
  const render = pageRenderer({ ...options, shop: () => new Proxy({} as ShopReads, { get: () => refuse }) })
  const { status, headers, body } = await render('/', () => undefined)
  const html = body
    .toString()
    .replaceAll(/<script\b[^>]*>.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '')
  return readyPage({ status, headers, body: Buffer.from(html) })
}

async function toPage(response: Response, nonce: string, options: RenderOptions): Promise<ReadyPage> {
  const { status } = response
  const { [framesHeader]: frames, ...headers } = Object.fromEntries(response.headers)
  const text = await response.text()
  if (status === 503) headers['retry-after'] = '2'
  if (!headers['content-type']?.startsWith('text/html')) {
    return readyPage({ status, headers, body: Buffer.from(text) })
  }
  const { html, hashes } = allowMarkedScripts(text, nonce)
  headers['content-security-policy'] = contentSecurityPolicy({
    scripts: hashes,
    stripe: options.settings.stripe.script === null,
    frames: frames ? [frames] : [],
    development: options.mode === 'development',
  })
  return readyPage({ status, headers, body: Buffer.from(html) })
}
