import type { Kysely } from 'kysely'
import type { EditedSynonyms, SynonymList, Synonyms } from '../../../../contract/synonyms.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { requireRevision } from '../../../platform/database/saved-row.ts'
import { ShopError } from '../../../platform/errors.ts'
import { recordChange } from '../../audit/service.ts'
import { synonymGroups } from '../search/search.ts'
import * as repository from './repository.ts'

/** A search reads all groups. */
const maxGroups = 500

export const listSynonyms = async (db: Kysely<Database>): Promise<SynonymList> => ({
  added: await repository.listSynonyms(db),
  shipped: synonymGroups.map((phrases) => [...phrases]),
})

const toSubject = (phrases: string[]) => phrases[0] ?? ''

/**
 * Adds or replaces a group of words for the same thing.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @throws TOO_MANY_SYNONYMS, RECORD_CHANGED
 */
export async function saveSynonyms(
  db: Kysely<Database>,
  id: string,
  { phrases, revision }: EditedSynonyms,
  savedBy: Actor | null,
): Promise<Synonyms> {
  const groups = await repository.listSynonyms(db)
  if (groups.length >= maxGroups && !groups.some((group) => group.id === id)) {
    throw new ShopError('TOO_MANY_SYNONYMS')
  }
  return inTransaction(db, async (tx) => {
    const { revisions, ...saved } = await repository.saveSynonyms(tx, { id, phrases })
    requireRevision(revisions, revision)
    await recordChange(tx, { area: 'synonyms', subject: toSubject(phrases), ...saved, actor: savedBy })
    return { id, phrases, revision: revisions.after }
  })
}

/** @throws NOT_FOUND */
export async function deleteSynonyms(db: Kysely<Database>, id: string, deletedBy: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const deleted = await repository.deleteSynonyms(tx, id)
    if (!deleted) throw new ShopError('NOT_FOUND')
    const { phrases, values: before } = deleted
    const subject = toSubject(phrases)
    await recordChange(tx, { area: 'synonyms', subject, before, after: null, actor: deletedBy })
  })
}
