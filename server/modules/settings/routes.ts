import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import type { SettingGroup, SettingValue } from '../../../contract/settings.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import type { Actor } from '../../platform/actor.ts'
import { readIfMatch } from '../../platform/http/parse-request.ts'
import * as settings from './service.ts'
import { listSetup, type SetupFacts } from './setup.ts'

/** Reads of other modules, and the configuration. */
export interface SetupReads {
  configured: Omit<SetupFacts, 'hasStock' | 'hasTwoStep' | 'shop' | 'brand'>
  /** Whether a product can be ordered. */
  hasStock: (db: Kysely<Database>) => Promise<boolean>
  /** Whether all staff have two-step login. */
  hasTwoStep: (db: Kysely<Database>) => Promise<boolean>
}

/** The input of a call that saves a group. */
interface SaveInput {
  headers: { 'if-match': string }
  caller: Actor
  db: Kysely<Database>
  reply: FastifyReply
}

export function registerSettings(calls: Calls, { configured, hasStock, hasTwoStep }: SetupReads): void {
  const send = (reply: FastifyReply, { value, etag }: settings.TaggedSettings) => {
    reply.header('ETag', etag)
    return value
  }
  const save = async <Group extends SettingGroup>(
    name: Group,
    value: SettingValue<Group>,
    { headers, caller, db, reply }: SaveInput,
  ) =>
    send(reply, await settings.saveSettings(db, { name, value, etag: readIfMatch(headers), savedBy: caller }))

  calls.handle('getSettings', async ({ params: { name }, db, reply }) =>
    send(reply, await settings.getSettings(db, name)),
  )
  calls.handle('saveShopSettings', (input) => save('shop', input.body, input))
  calls.handle('saveBrandSettings', (input) => save('brand', input.body, input))
  calls.handle('saveFooterSettings', (input) => save('footer', input.body, input))
  calls.handle('resetSettings', (input) => save(input.params.name, {}, input))

  calls.handle('getSetup', async ({ db }) => {
    const [{ value: shop }, { value: brand }, stock, twoStep] = await Promise.all([
      settings.getSettings(db, 'shop'),
      settings.getSettings(db, 'brand'),
      hasStock(db),
      hasTwoStep(db),
    ])
    return { items: listSetup({ ...configured, shop, brand, hasStock: stock, hasTwoStep: twoStep }) }
  })
}
