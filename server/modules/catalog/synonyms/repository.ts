import { type Kysely, sql } from 'kysely'
import type { Synonyms } from '../../../../contract/synonyms.ts'
import type { ChangedColumns } from '../../../../db/catalog-schema.ts'
import type { Database } from '../../../../db/schema.ts'
import { rowRevision, savedRowWithRevisions } from '../../../platform/database/saved-row.ts'

/** Lists the groups that admins have added, by their first phrase. */
export const listSynonyms = (db: Kysely<Database>): Promise<Synonyms[]> =>
  db
    .selectFrom('synonyms')
    .select(['id', 'phrases'])
    .select(rowRevision('synonyms', 'id'))
    .orderBy(sql`lower(phrases[1])`)
    .orderBy('id')
    .execute()

/** Adds or replaces a group. Returns its values before and after. */
export const saveSynonyms = (db: Kysely<Database>, group: Pick<Synonyms, 'id' | 'phrases'>) =>
  db
    .insertInto('synonyms')
    .values(group)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(group))
    .returning(savedRowWithRevisions('id'))
    .executeTakeFirstOrThrow()

/** Returns the values of the deleted group; undefined if it does not exist. */
export const deleteSynonyms = (db: Kysely<Database>, id: string) =>
  db
    .deleteFrom('synonyms')
    .where('id', '=', id)
    .returning(['phrases', sql<ChangedColumns>`to_jsonb(synonyms) - 'id'`.as('values')])
    .executeTakeFirst()
