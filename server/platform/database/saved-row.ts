import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'

type Values = Selectable<Database['changes']>['before']

interface SavedRow {
  /** Null: the row was added. */
  before: Values | null
  after: Values
}

/**
 * Selects the values of an added or replaced row before and after, for the audit.
 * @param hidden columns to leave out, such as the id
 */
export const savedRow = (...hidden: string[]) => [
  sql<SavedRow['before']>`to_jsonb(old) - ${hidden}::text[]`.as('before'),
  sql<SavedRow['after']>`to_jsonb(new) - ${hidden}::text[]`.as('after'),
]
