import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../../db/schema.ts'
import { storeRows } from '../../../imports/queries.ts'

/** A row of a file. `path`: in the form of redirects. */
export interface StagedRedirect {
  row: number
  path: string
  target: string
}

export const insertRows = storeRows('redirect_import_rows', sql`row, path, target`)

/** Lists the first rows of a file. */
export const listRows = (db: Kysely<Database>, importId: string, limit: number): Promise<StagedRedirect[]> =>
  db
    .selectFrom('redirect_import_rows')
    .select(['row', 'path', 'target'])
    .where('import_id', '=', importId)
    .orderBy('row')
    .limit(limit)
    .execute()
