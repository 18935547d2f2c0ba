import { existsSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { LegalPage } from '../../contract/documents.ts'
import type { Database } from '../../db/schema.ts'
import type { LoadedSettings, PageQueries } from '../../web/page-context.ts'
import { openResponseCache, type ResponseCache } from '../http/cache.ts'
import { createCacheKeys } from '../http/cache-key.ts'
import { sendCached } from '../http/send-cached.ts'
import {
  existBikes,
  findBikeLoosely,
  findBikeMatches,
  findBikeSearch,
  findBikes,
  findMisspelledMake,
  findRenamed,
  listBikes,
} from '../modules/bikes/service.ts'
import { createPublicQueries, listChosenOrFirst, withoutSynonyms } from '../modules/catalog/service.ts'
import {
  createDocumentQueries,
  createMarkdown,
  findRedirectTarget,
  listLegalPages,
  type RenderMarkdown,
} from '../modules/content/service.ts'
import { findProductFit } from '../modules/fitment/service.ts'
import { findDelivery } from '../modules/pricing/service.ts'
import { listReviews, presentReview } from '../modules/reviews/service.ts'
import type { PublishedSettings, SettingsReader } from '../modules/settings/service.ts'
import type { PublicReads } from '../platform/database/replicas.ts'
import { isDatabaseUnavailable, ShopError, StartupError } from '../platform/errors.ts'
import { createPageSource, type RenderOptions } from './render.ts'

type PagesOptions = Omit<RenderOptions, 'log' | 'withQueries' | 'lastSettings'> & {
  publicReads: PublicReads
  reader: SettingsReader
  cache: ResponseCache
  assetsDir: string
}

/** Paths of other routes. Unknown paths below them get the JSON error, not a page. */
const notPages = /^\/(api|idp|sandbox|pictures|assets)(\/|$)/

/** Returns a path that the router accepts, so that also a page with a malformed `%`-escape is the 404 page. */
export function toRoutedUrl(url: string): string {
  if (!url.includes('%') || notPages.test(url)) return url
  try {
    decodeURI(url.replace(/\?.*/s, ''))
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

/** Serves a page, rendered on the server and cached, for every path without another route. */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { development, publicReads, reader } = options
  await (development ? development.register(app) : serveAssets(app, options))
  const toKey = development ? (url: string) => url : createCacheKeys((await options.app()).findParameters)
  /** The last settings are shown while the database is unavailable. */
  let others = { hasBikes: false, legalPages: [] as LegalPage[], readAt: -Infinity }
  type Others = typeof others
  const toSettings = (
    { face, details }: PublishedSettings,
    { hasBikes, legalPages }: Others,
  ): LoadedSettings => ({ hasBikes, legalPages, shop: face, details })
  const lastSettings = () => toSettings(reader.last(), others)
  const readOthers = async (db: Kysely<Database>, fresh: boolean): Promise<Others> => {
    const readAt = performance.now()
    if (!fresh && readAt - others.readAt < reader.maxAgeMs) return others
    const [hasBikes, legalPages] = await Promise.all([existBikes(db), listLegalPages(db)])
    const read = { hasBikes, legalPages, readAt }
    // A read that started later has newer settings. But on a replica it may lack commits that a fresh page must have.
    if (readAt > others.readAt) others = read
    return read
  }
  const readSettings = async (published: Promise<PublishedSettings>, readOthers: Promise<Others>) => {
    const keepLast = (error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
      return others
    }
    // At the same time: each may wait until the database responds.
    return toSettings(...(await Promise.all([published, readOthers.catch(keepLast)])))
  }
  const renderMarkdown = createMarkdown(options.settings.picturesUrl)
  const withQueries: RenderOptions['withQueries'] = (fresh, work) =>
    publicReads(fresh, (db) => {
      let published: Promise<PublishedSettings> | undefined
      let settings: Promise<LoadedSettings> | undefined
      // Once, so that all parts of a page have the same version.
      const readPublished = () => (published ??= reader.read(db, fresh))
      return work({
        ...createQueries(db, renderMarkdown),
        settings: () => (settings ??= readSettings(readPublished(), readOthers(db, fresh))),
        async homeProducts() {
          const { productIds } = (await readPublished()).details
          return listChosenOrFirst(db, productIds, firstProducts)
        },
      })
    })
  const toSource = await createPageSource({ ...options, withQueries, lastSettings, log: app.log }, toKey)
  // In development the code of a page changes while the shop runs. No page fits into one byte.
  const uncached = { maxAgeMs: 0, maxReadAgeMs: 0, maxBytes: 1, isDatabaseDown: () => false }
  const cache = development ? openResponseCache(uncached) : options.cache

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { hasOwnLimit: true },
    handler: async (request, reply) => {
      if (notPages.test(request.url)) return reply.callNotFound()
      const key = toKey(request.originalUrl)
      return sendCached(cache, key, toSource(key), request, reply)
    },
  })
}

/** Number of products on a home page without chosen ones. */
const firstProducts = 4

/** The queries of the public pages. */
const createQueries = (
  db: Kysely<Database>,
  renderMarkdown: RenderMarkdown,
): Omit<PageQueries, 'settings' | 'homeProducts'> => ({
  ...createPublicQueries(db),
  ...createDocumentQueries(db, renderMarkdown),
  redirect: (path) => findRedirectTarget(db, path),
  bike: async (id) => (await findBikes(db, [id]))[0] ?? null,
  bikeSearch: (text, own) => findBikeSearch(db, text, own),
  bikeLoosely: (text, own) => findBikeLoosely(db, text, own),
  misspelledMake: async (text, unknown, own) =>
    findMisspelledMake(db, text, await withoutSynonyms(db, unknown), own),
  bikeMatches: async (text) => (await findBikeMatches(db, text)).slice(0, 6),
  async bikes(query) {
    try {
      return await listBikes(db, query)
    } catch (error) {
      if (error instanceof ShopError && error.code === 'BIKE_NOT_FOUND') return null
      throw error
    }
  },
  renamedBike: async (slugs) => (await findRenamed(db, slugs)) ?? null,
  delivery: () => findDelivery(db),
  productFit: (id, page) => findProductFit(db, id, page),
  async reviews(page) {
    const { rows, total } = await listReviews(db, page)
    return { reviews: rows.map((review) => presentReview(review, null)), total }
  },
})

/**
 * Serves the built files as immutable, because their names contain a content hash.
 *
 * @throws StartupError if the folder has no files of this build
 */
async function serveAssets(app: FastifyInstance, { assetsDir, files }: PagesOptions): Promise<void> {
  if (!existsSync(path.join(assetsDir, path.basename(files([]).entry)))) {
    throw new StartupError(
      `ASSETS_DIR ${assetsDir} does not have the files of this version. Run npm run publish-assets, then start again.`,
    )
  }
  await app.register(fastifyStatic, {
    root: assetsDir,
    dotfiles: 'ignore',
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    decorateReply: false,
  })
}
