import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import type { SettingGroup, SettingValue } from '../../../contract/settings.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import type { Actor } from '../../platform/actor.ts'
import { readIfMatch, sendTagged } from '../../platform/http/etag.ts'
import * as settings from './service.ts'
import { type ConfiguredFacts, listSetup, type StoredFacts } from './setup.ts'

type FactReads = { [Fact in keyof StoredFacts]: (db: Kysely<Database>) => Promise<StoredFacts[Fact]> }

/** The configuration, and reads of other modules. */
interface SetupDeps extends Omit<FactReads, 'saved'> {
  configured: ConfiguredFacts
}

/** The input of a call that saves a group. */
interface SaveInput {
  headers: { 'if-match': string }
  caller: Actor
  db: Kysely<Database>
  reply: FastifyReply
}

export function registerSettings(calls: Calls, { configured, ...others }: SetupDeps): void {
  const save = async <Group extends SettingGroup>(
    name: Group,
    value: SettingValue<Group>,
    { headers, caller, db, reply }: SaveInput,
  ) =>
    sendTagged(
      reply,
      await settings.saveSettings(db, { name, value, etag: readIfMatch(headers), savedBy: caller }),
    )

  calls.handle('getSettings', async ({ params: { name }, db, reply }) =>
    sendTagged(reply, await settings.getSettings(db, name)),
  )
  calls.handle('saveShopSettings', (input) => save('shop', input.body, input))
  calls.handle('saveBrandSettings', (input) => save('brand', input.body, input))
  calls.handle('saveFooterSettings', (input) => save('footer', input.body, input))
  calls.handle('saveHomeSettings', (input) => save('home', input.body, input))
  calls.handle('saveEmailSettings', (input) => save('emails', input.body, input))
  calls.handle('resetSettings', (input) => save(input.params.name, {}, input))

  calls.handle('removePlaceholders', async ({ caller, db }) => ({
    acknowledged: true,
    modifiedCount: (await settings.removePlaceholders(db, caller)) ? 1 : 0,
  }))

  calls.handle('getSetup', async ({ db }) => {
    const reads: FactReads = { saved: settings.getSavedShop, ...others }
    const found = await Promise.all(Object.entries(reads).map(async ([fact, read]) => [fact, await read(db)]))
    const facts = Object.fromEntries(found) as StoredFacts
    return { items: listSetup({ ...configured, ...facts }) }
  })
}
