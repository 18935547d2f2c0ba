import type { FastifyInstance } from 'fastify'
import { iconSizes } from '../../../contract/pictures.ts'
import type { Calls } from '../../http/calls.ts'
import { ShopError } from '../../platform/errors.ts'
import { createLimiter } from '../../platform/limiter.ts'
import { countRefused } from '../../platform/telemetry/metrics.ts'
import * as downloads from './downloads/service.ts'
import { limitPngs } from './drawings.ts'
import * as pictures from './service.ts'

export function registerUploads(
  calls: Calls,
  store: pictures.PictureStore,
  products: downloads.ProductPictures,
): void {
  calls.handle('addPicture', ({ request, caller, db }) =>
    pictures.addPicture({ db, store }, request.body as Buffer, caller.customerId),
  )

  calls.handle('listPictureDownloads', ({ query, db }) => downloads.readDownloads(db, query.name))

  calls.handle('assignPicture', async ({ body, caller, db }) => {
    await downloads.assignPicture({ db, products }, body, caller)
    return downloads.readDownloads(db)
  })

  calls.handle('retryPictureDownloads', async ({ db }) => {
    await downloads.retryFailed(db)
    return downloads.readDownloads(db)
  })
}

/** Pictures have no load limit, but they must leave connections and memory to the pages. */
const limitReads = createLimiter({
  concurrency: 8,
  maxQueued: 256,
  onOverflow() {
    countRefused('pictures')
    return new ShopError('UNAVAILABLE')
  },
})

/** Serves uploaded pictures. The URL contains a hash of the content, so that neither ever changes. */
export function registerUploadedPictures(app: FastifyInstance, store: pictures.PictureStore): void {
  app.get<{ Params: { hash: string; width: string; format: 'avif' | 'webp' | 'jpeg' } }>(
    '/pictures/uploaded/:hash(^[0-9a-f]{32})-:width(^\\d{1,4}).:format(^(?:avif|webp|jpeg)$)',
    async ({ params: { hash, width, format } }, reply) => {
      const file = await limitReads(() => store.get({ hash, width: Number(width), format }))
      if (!file) throw new ShopError('NOT_FOUND')
      return reply
        .headers({
          'Content-Type': `image/${format}`,
          'Cache-Control': 'public, max-age=31536000, immutable',
          // Web mail shows the pictures of emails on pages of other origins.
          'Cross-Origin-Resource-Policy': 'cross-origin',
          'Content-Security-Policy': "default-src 'none'",
        })
        .send(file)
    },
  )
  app.get<{ Params: { hash: string; size: string } }>(
    `/pictures/icon/:hash(^[0-9a-f]{32})-:size(^(?:${iconSizes.join('|')})).png`,
    async ({ params: { hash, size } }, reply) => {
      const icon = await limitPngs(() => pictures.readIcon(store, hash, Number(size)))
      if (!icon) throw new ShopError('NOT_FOUND')
      return reply
        .headers({
          'Content-Type': 'image/png',
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Content-Security-Policy': "default-src 'none'",
        })
        .send(icon)
    },
  )
}
