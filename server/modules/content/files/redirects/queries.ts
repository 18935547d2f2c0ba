import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../../db/schema.ts'

/** A row of a file. `path`: in the form of redirects. */
export interface StagedRedirect {
  row: number
  path: string
  target: string
}

export async function insertRows(db: Kysely<Database>, importId: string, rows: object[]): Promise<void> {
  await sql`
    insert into redirect_import_rows (import_id, row, path, target)
    select ${importId}, row, path, target
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as file (row integer, path text, target text)`.execute(
    db,
  )
}

/** Lists the first rows of a file. */
export const listRows = (db: Kysely<Database>, importId: string, limit: number): Promise<StagedRedirect[]> =>
  db
    .selectFrom('redirect_import_rows')
    .select(['row', 'path', 'target'])
    .where('import_id', '=', importId)
    .orderBy('row')
    .limit(limit)
    .execute()
