import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { PublicSettings } from '../web/context.ts'
import { pageAddresses } from './page-address.ts'
import { openPageCache, type PageCache, type PageState } from './page-cache.ts'
import {
  type OpenReads,
  pageRenderer,
  type RenderOptions,
  unavailablePage,
  type WebBuild,
} from './page-render.ts'
import { sendPage } from './page-reply.ts'
import type { Changes } from './platform/changes.ts'

/** The web application, built or as its sources stand. */
export interface PageBuild extends WebBuild {
  /** Prepares the app for development: Vite then serves the assets. */
  dev?: (app: FastifyInstance) => Promise<void>
}

export interface PagesOptions extends PageBuild {
  shop: OpenReads
  settings: PublicSettings
  changes: Changes
  /** Whether it is known that the database does not answer. */
  isAway: () => boolean
  /** The most memory that the pages which are kept may take. */
  cacheBytes: number
}

/** Paths that belong to others: what is not found there is answered by the app, never by a page. */
const notPages = /^\/(api|idp|sandbox|pictures|assets)(\/|$)/

/** In the words of RFC 9211. */
const cacheStatus: Record<PageState, string> = {
  hit: 'shop; hit',
  miss: 'shop; fwd=miss',
  stale: 'shop; hit; detail=stale',
}

/**
 * Mounts the web application: everything that no other route takes is a page, rendered on the server, and kept in
 * memory until something changes that it shows.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  if (options.dev) await options.dev(app)
  else await serveAssets(app)
  const { cache, addressOf } = await openCache({ ...options, log: app.log })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      if (notPages.test(request.url)) return reply.callNotFound()
      const address = addressOf(request.url)
      const kept = cache.find(address)
      if (kept) return sendPage(request, reply.header('cache-status', cacheStatus.hit), kept)
      const { page, state } = await cache.answer(address)
      return sendPage(request, reply.header('cache-status', cacheStatus[state]), page)
    },
  })
}

/** In development nothing is kept: routes and pages change while the shop runs. */
async function openCache(options: PagesOptions & RenderOptions) {
  const { mode, getBuild, changes, isAway, cacheBytes: bytes } = options
  const render = pageRenderer(options)
  if (mode === 'production') {
    const cache = openPageCache({
      changes,
      render,
      isAway,
      bytes,
      unavailable: await unavailablePage(options),
    })
    return { cache, addressOf: pageAddresses(await getBuild()) }
  }
  const cache: PageCache = {
    find: () => undefined,
    answer: async (address) => ({ page: await render(address, () => undefined), state: 'miss' }),
  }
  return { cache, addressOf: (url: string) => url }
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
