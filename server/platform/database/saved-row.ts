import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'

type Values = Selectable<Database['changes']>['before']

interface SavedRow {
  /** Null: the row was added. */
  before: Values | null
  after: Values
}

/** Selects the values of an added or replaced row before and after, without its id, for the audit. */
export const savedRow = (id: 'id' | 'name') => [
  sql<SavedRow['before']>`to_jsonb(old) - ${id}::text`.as('before'),
  sql<SavedRow['after']>`to_jsonb(new) - ${id}::text`.as('after'),
]
