import { type Kysely, sql } from 'kysely'
import type { Attribute, AttributeValues, KindAttributes } from '../../../../contract/attributes.ts'
import type { Database } from '../../../../db/schema.ts'
import { SAVING_ATTRIBUTES } from '../../../platform/database/advisory-locks.ts'
import { rowRevision, savedRowWithRevisions } from '../../../platform/database/saved-row.ts'

/** The attributes of one kind of part. */
export interface KindRow {
  kind: string
  attributes: Attribute[]
}

const selectKinds = (db: Kysely<Database>) =>
  db.selectFrom('kind_attributes').select(['kind', 'attributes']).orderBy('kind')

/** Lists all kinds with attributes. */
export const listKinds = (db: Kysely<Database>): Promise<KindAttributes[]> =>
  selectKinds(db).select(rowRevision('kind_attributes', 'kind')).execute()

export const findKind = (db: Kysely<Database>, kind: string): Promise<KindRow | undefined> =>
  selectKinds(db).where('kind', '=', kind).executeTakeFirst()

/** Waits for other changes of kinds. Until the end of the transaction, they wait for this one. */
export async function lockKinds(tx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SAVING_ATTRIBUTES})`.execute(tx)
}

/** Adds or replaces the attributes of a kind. Returns their revisions before and after. */
export function saveKind(db: Kysely<Database>, { kind, attributes }: KindRow) {
  const row = { kind, attributes: JSON.stringify(attributes) }
  return db
    .insertInto('kind_attributes')
    .values(row)
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(row))
    .returning(savedRowWithRevisions('kind'))
    .executeTakeFirstOrThrow()
}

/** Removes the attributes of a kind. Returns their revisions before and after; undefined if it had none. */
export const deleteKind = (db: Kysely<Database>, kind: string) =>
  db
    .deleteFrom('kind_attributes')
    .where('kind', '=', kind)
    .returning(savedRowWithRevisions('kind'))
    .executeTakeFirst()

/** Sets the values of a locked product. Triggers add the change, and a new date in the sitemap. */
export async function writeValues(
  db: Kysely<Database>,
  productId: string,
  values: AttributeValues,
): Promise<void> {
  await db
    .updateTable('products')
    .set({ attributes: JSON.stringify(values) })
    .where('id', '=', productId)
    .execute()
}
