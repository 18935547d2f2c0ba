import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { PageQueries, PublicSettings } from '../../web/page-context.ts'
import { openResponseCache } from './cache.ts'
import { createCacheKeys } from './cache-key.ts'
import { createPageSource, type WebBuild } from './render.ts'
import { type CacheDeps, sendCached } from './send-cached.ts'

/** The web application, built or from its sources. */
export interface PageBuild extends WebBuild {
  /** Prepares the app for development: Vite then serves the assets. */
  dev?: (app: FastifyInstance) => Promise<void>
}

export interface PagesOptions extends PageBuild, CacheDeps {
  queries: PageQueries
  settings: PublicSettings
}

/** Paths of other routes. Unknown paths below them get the JSON error, not a page. */
const notPages = /^\/(api|idp|sandbox|pictures|assets)(\/|$)/

/** Serves a page, rendered on the server and cached, for every path without another route. */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  if (options.dev) await options.dev(app)
  else await serveAssets(app)
  const toSource = await createPageSource({ ...options, log: app.log })
  const isCached = options.mode === 'production'
  const { findParameters } = await options.app()
  const toKey = isCached ? createCacheKeys(findParameters) : (url: string) => url
  // In development the code of a page changes while the shop runs. No page fits into one byte.
  const uncached = { maxAgeMs: 0, maxBytes: 1, isDatabaseDown: () => false }
  const deps = isCached ? options : { cache: openResponseCache(uncached), maxAgeSeconds: 0 }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { hasOwnLimit: true },
    handler: async (request, reply) => {
      if (notPages.test(request.url)) return reply.callNotFound()
      const key = toKey(request.url)
      return sendCached(deps, key, toSource(key), request, reply)
    },
  })
}

/** Serves the built files as immutable, because their names contain a content hash. */
async function serveAssets(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: fileURLToPath(new URL('../../build/client/assets', import.meta.url)),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    decorateReply: false,
  })
}
