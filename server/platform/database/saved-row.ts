import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { ShopError } from '../errors.ts'

type Values = Selectable<Database['changes']>['before']

interface SavedRow {
  /** Null: the row was added. */
  before: Values | null
  after: Values
}

/** The revisions of a saved row. `before` is empty if the row was added. */
interface Revisions {
  before: string
  after: string
}

/**
 * Selects the values of an added or replaced row before and after, for the audit.
 * @param hidden columns to leave out, such as the id
 */
export const savedRow = (...hidden: string[]) => [
  sql<SavedRow['before']>`to_jsonb(old) - ${hidden}::text[]`.as('before'),
  sql<SavedRow['after']>`to_jsonb(new) - ${hidden}::text[]`.as('after'),
]

/** Selects the same, with the revisions before and after, for `requireRevision`. */
export const savedRowWithRevisions = (...hidden: string[]) =>
  [
    ...savedRow(...hidden),
    sql<Revisions>`json_build_object(
      'before', ${toRevision(sql`old`, hidden)}, 'after', ${toRevision(sql`new`, hidden)})`.as('revisions'),
  ] as const

/** Selects the revision of each listed row. @param hidden as for `savedRowWithRevisions` */
export const rowRevision = (table: keyof Database, ...hidden: string[]) =>
  toRevision(sql.ref(table), hidden).as('revision')

/** Empty for a row without values, as for a row that does not exist. */
function toRevision(row: RawBuilder<unknown>, hidden: string[]): RawBuilder<string> {
  const values = sql`jsonb_strip_nulls(to_jsonb(${row}) - ${hidden}::text[])`
  return sql<string>`coalesce(md5(nullif(${values}, '{}')::text), '')`
}

/**
 * Refuses to overwrite other admins' changes. Must run in the transaction that has saved the row, which rolls it back. A
 * repeated request passes, because it changes nothing.
 *
 * @param edited the revision of the row that was edited; without it, the save overwrites all changes
 * @throws RECORD_CHANGED
 */
export function requireRevision({ before, after }: Revisions, edited: string | undefined): void {
  if (edited !== undefined && edited !== before && after !== before) throw new ShopError('RECORD_CHANGED')
}
