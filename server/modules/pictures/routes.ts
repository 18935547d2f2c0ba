import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { ShopError } from '../../platform/errors.ts'
import * as pictures from './service.ts'

export function registerUploads(calls: Calls, db: Kysely<Database>): void {
  calls.handle('addPicture', ({ request, caller }) =>
    pictures.addPicture(db, request.body as Buffer, caller.customerId),
  )
}

/** Serves what was uploaded: an address names the content, so that neither ever changes. */
export function registerUploadedPictures(app: FastifyInstance, db: Kysely<Database>): void {
  app.get<{ Params: { hash: string; width: string; format: 'avif' | 'webp' | 'jpeg' } }>(
    '/pictures/uploaded/:hash(^[0-9a-f]{32})-:width(^\\d{1,4}).:format(^(?:avif|webp|jpeg)$)',
    async ({ params: { hash, width, format } }, reply) => {
      const file = await pictures.findFile(db, hash, Number(width), format)
      if (!file) throw new ShopError('NOT_FOUND')
      return reply
        .headers({
          'Content-Type': `image/${format}`,
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Content-Security-Policy': "default-src 'none'",
        })
        .send(file)
    },
  )
}
