import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import type { SettingGroup, SettingValue } from '../../../contract/settings.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import type { Actor } from '../../platform/actor.ts'
import { readIfMatch, sendTagged } from '../../platform/http/etag.ts'
import * as settings from './service.ts'
import { type ConfiguredFacts, type LegalDocument, listSetup } from './setup.ts'

/** Reads of other modules, and the configuration. */
interface SetupReads {
  configured: ConfiguredFacts
  /** Whether a product can be ordered. */
  hasStock: (db: Kysely<Database>) => Promise<boolean>
  /** Whether an order can have shipping or tax. */
  canHaveCharges: (db: Kysely<Database>) => Promise<boolean>
  /** The legal pages in every status. */
  listLegalDocuments: (db: Kysely<Database>) => Promise<LegalDocument[]>
  /** Whether a post is visible. */
  hasPosts: (db: Kysely<Database>) => Promise<boolean>
  hasOwner: (db: Kysely<Database>) => Promise<boolean>
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

export function registerSettings(calls: Calls, { configured, ...reads }: SetupReads): void {
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
    const [saved, hasStock, canHaveCharges, legalDocuments, hasPosts, hasOwner, hasTwoStep] =
      await Promise.all([
        settings.getSavedShop(db),
        reads.hasStock(db),
        reads.canHaveCharges(db),
        reads.listLegalDocuments(db),
        reads.hasPosts(db),
        reads.hasOwner(db),
        reads.hasTwoStep(db),
      ])
    const facts = { saved, hasStock, canHaveCharges, legalDocuments, hasPosts, hasOwner, hasTwoStep }
    return { items: listSetup({ ...configured, ...facts }) }
  })
}
