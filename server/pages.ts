import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import {
  createRequestHandler,
  type RequestHandler,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router'
import type { PublicSettings, ShopReads } from '../web/context.ts'
import type * as Entry from '../web/entry.server.tsx'
import { allowMarkedScripts } from './inline-scripts.ts'
import { type Page, sendPage } from './page-reply.ts'
import { contentSecurityPolicy } from './security-headers.ts'

/** The web application, built or as its sources stand. */
export interface PageBuild {
  getBuild: () => Promise<ServerBuild>
  mode: 'production' | 'development'
  /** Prepares the app for development: Vite then serves the assets. */
  dev?: (app: FastifyInstance) => Promise<void>
}

export interface PagesOptions extends PageBuild {
  shop: ShopReads
  settings: PublicSettings
}

/** The header by which a page's route names the origins that it shows in frames; it is for us, and not sent. */
const framesHeader = 'x-frames'

/** Paths that belong to others: what is not found there is answered by the app, never by a page. */
const notPages = /^\/(api|idp|sandbox|pictures|assets)(\/|$)/

/**
 * Mounts the web application: everything that no other route takes is a page, rendered on the server.
 * No page depends on who asks for it (the access token lives in the browser), so each may be cached by anybody.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  if (options.dev) await options.dev(app)
  else await serveAssets(app)
  const handle = createRequestHandler(options.getBuild, options.mode)

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      if (notPages.test(request.url)) return reply.callNotFound()
      const page = await renderPage(request.url, request.log, options, handle)
      return sendPage(request, reply, page)
    },
  })
}

/** The built files carry a hash of their content in their names: they never change. */
async function serveAssets(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: fileURLToPath(new URL('../build/client/assets', import.meta.url)),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    decorateReply: false,
  })
}

async function renderPage(
  url: string,
  log: FastifyBaseLogger,
  options: PagesOptions,
  handle: RequestHandler,
): Promise<Page> {
  const nonce = randomBytes(16).toString('base64url')
  const { entry } = await options.getBuild()
  const contexts = entry.module as unknown as typeof Entry
  const context = new RouterContextProvider()
  context.set(contexts.shopContext, options.shop)
  context.set(contexts.settingsContext, options.settings)
  context.set(contexts.nonceContext, nonce)
  context.set(contexts.reportContext, (error) => log.error(error))

  // The origin is a constant and no header is passed on: a page never learns which host or who asked for it.
  const request = new Request(`http://shop.invalid${url}`)
  const response = await handle(request, context)
  return toPage(response, nonce, options)
}

async function toPage(response: Response, nonce: string, options: PagesOptions): Promise<Page> {
  const { status } = response
  const { [framesHeader]: frames, ...headers } = Object.fromEntries(response.headers)
  const text = await response.text()
  if (!headers['content-type']?.startsWith('text/html')) return { status, headers, body: Buffer.from(text) }
  const { html, hashes } = allowMarkedScripts(text, nonce)
  headers['content-security-policy'] = contentSecurityPolicy({
    scripts: hashes,
    stripe: options.settings.stripe.script === null,
    frames: frames ? [frames] : [],
    development: options.mode === 'development',
  })
  return { status, headers, body: Buffer.from(html) }
}
