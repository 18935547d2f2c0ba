import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { PublicSettings } from '../web/context.ts'
import { sendKept } from './kept-answer.ts'
import { pageAddresses } from './page-address.ts'
import type { PageCache, PageSource } from './page-cache.ts'
import { type OpenReads, pageRenderer, unavailablePage, type WebBuild } from './page-render.ts'

/** The web application, built or as its sources stand. */
export interface PageBuild extends WebBuild {
  /** Prepares the app for development: Vite then serves the assets. */
  dev?: (app: FastifyInstance) => Promise<void>
}

export interface PagesOptions extends PageBuild {
  shop: OpenReads
  settings: PublicSettings
  cache: PageCache
}

/** Paths that belong to others: what is not found there is answered by the app, never by a page. */
const notPages = /^\/(api|idp|sandbox|pictures|assets)(\/|$)/

/**
 * Mounts the web application: everything that no other route takes is a page, rendered on the server, and kept in
 * memory until something changes that it shows.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  if (options.dev) await options.dev(app)
  else await serveAssets(app)
  const render = pageRenderer({ ...options, log: app.log })
  const unavailable = await unavailablePage({ ...options, log: app.log })
  const sourceOf = (address: string): PageSource => ({
    render: (shows) => render(address, shows),
    unavailable,
  })
  const { cache, addressOf } = options.mode === 'production' ? await keeping(options) : keepingNothing

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { limitsItself: true },
    handler: async (request, reply) => {
      if (notPages.test(request.url)) return reply.callNotFound()
      const address = addressOf(request.url)
      return sendKept(cache, address, sourceOf(address), request, reply)
    },
  })
}

const keeping = async ({ cache, app }: PagesOptions) => ({
  cache,
  addressOf: pageAddresses(await app()),
})

/** In development nothing is kept: routes and pages change while the shop runs. */
const keepingNothing: { cache: PageCache; addressOf: (url: string) => string } = {
  cache: {
    find: () => undefined,
    answer: async (_address, { render }) => ({ page: await render(() => undefined), state: 'miss' }),
  },
  addressOf: (url) => url,
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
