import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { shareImageSize } from '../../../contract/pictures.ts'
import { createLimiter } from '../../platform/limiter.ts'
import { ShopError } from '../../platform/shop-error.ts'
import { findDrawing, pictureHeaders } from '../catalog/service.ts'

/** Requests that may wait for a PNG; more get 503. */
const maxQueued = 16

/** Serves each drawing as a PNG too: social networks and merchant centers accept no SVG. */
export function registerShareImages(app: FastifyInstance): void {
  const limit = createLimiter({
    concurrency: 1,
    maxQueued: maxQueued,
    onOverflow: () => new ShopError('UNAVAILABLE'),
  })
  for (const url of ['/pictures/:kind.png', '/pictures/:kind/:tint(^[0-9a-f]{6}).png']) {
    app.get(url, async (request, reply) => {
      const [path = ''] = request.url.split('?')
      const drawing = findDrawing(path.replace(/png$/, 'svg'))
      if (drawing === null) throw new ShopError('NOT_FOUND')
      const png = await limit(() => renderPng(drawing))
      return reply.headers({ ...pictureHeaders, 'Content-Type': 'image/png' }).send(png)
    })
  }
}

const renderPng = (drawing: string): Promise<Buffer> =>
  sharp(Buffer.from(drawing))
    .resize({ ...shareImageSize, fit: 'contain', background: '#fff' })
    .flatten({ background: '#fff' })
    .png()
    .toBuffer()
