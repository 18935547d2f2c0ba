import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import * as settings from './service.ts'
import { listSetup, type SetupFacts } from './setup.ts'

/** Reads of other modules, and the configuration. */
export interface SetupReads {
  configured: Omit<SetupFacts, 'hasStock' | 'shop' | 'brand'>
  /** Whether a product can be ordered. */
  hasStock: (db: Kysely<Database>) => Promise<boolean>
}

export function registerSettings(calls: Calls, { configured, hasStock }: SetupReads): void {
  const send = (reply: FastifyReply, { value, etag }: settings.TaggedSettings) => {
    reply.header('ETag', etag)
    return value
  }
  const toEtag = (headers: { 'if-match': string }): string => headers['if-match'].replace(/^W\//, '')

  calls.handle('getSettings', async ({ params: { name }, db, reply }) =>
    send(reply, await settings.getSettings(db, name)),
  )
  calls.handle('saveShopSettings', async ({ headers, body: value, caller, db, reply }) =>
    send(
      reply,
      await settings.saveSettings(db, { name: 'shop', value, etag: toEtag(headers), savedBy: caller }),
    ),
  )
  calls.handle('saveBrandSettings', async ({ headers, body: value, caller, db, reply }) =>
    send(
      reply,
      await settings.saveSettings(db, { name: 'brand', value, etag: toEtag(headers), savedBy: caller }),
    ),
  )
  calls.handle('saveFooterSettings', async ({ headers, body: value, caller, db, reply }) =>
    send(
      reply,
      await settings.saveSettings(db, { name: 'footer', value, etag: toEtag(headers), savedBy: caller }),
    ),
  )
  calls.handle('resetSettings', async ({ params: { name }, headers, caller, db, reply }) =>
    send(reply, await settings.saveSettings(db, { name, value: {}, etag: toEtag(headers), savedBy: caller })),
  )

  calls.handle('getSetup', async ({ db }) => {
    const [{ value: shop }, { value: brand }, stock] = await Promise.all([
      settings.getSettings(db, 'shop'),
      settings.getSettings(db, 'brand'),
      hasStock(db),
    ])
    return { items: listSetup({ ...configured, shop, brand, hasStock: stock }) }
  })
}
