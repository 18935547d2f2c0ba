import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type ImportError, maxListedErrors } from '../../../contract/imports.ts'
import type { Today } from '../../../contract/today.ts'
import type { Database } from '../../../db/schema.ts'
import type { FileErrors } from './file-kind.ts'

/**
 * Postgres pattern of cells that a spreadsheet program may run as a formula. Matches already quoted ones as well. The
 * export puts an apostrophe before them.
 */
const riskyInPostgres = "^(''*[=+\\-@\\t\\r＝＋－＠])"

/** SQL of a text in an export, with an apostrophe before a possible formula. */
export const guardFormulas = (text: string): string =>
  `regexp_replace(${text}, '${riskyInPostgres}', '''\\1')`

/** Lists the first errors, and counts all. `tables` for `with` end with `found`: row, "column", message, perhaps line. */
export async function listErrors(db: Kysely<Database>, tables: RawBuilder<unknown>): Promise<FileErrors> {
  const { rows } = await sql<ImportError & { total: number }>`
    with ${tables}
    select *, count(*) over () as total from found order by row, "column" limit ${maxListedErrors}`.execute(
    db,
  )
  return {
    errors: rows.map(({ row, line, column, message }) => ({ row, line, column, message })),
    total: rows[0]?.total ?? 0,
  }
}

/** Lists the next locked products of a file, in the order of their ids. */
export async function listLockedProducts(
  db: Kysely<Database>,
  importId: string,
  rowTable: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    select distinct product_id from ${sql.table(rowTable)}
    where import_id = ${importId} and is_change and product_id > ${after}
    order by product_id limit ${limit}`.execute(db)
  return rows.map(({ product_id }) => product_id)
}

/** Lists the newest imports that are not finished, or can be run. `progress`: 0 to 1. */
export async function listOpenImports(db: Kysely<Database>): Promise<Today['imports']> {
  const { rows } = await sql<Today['imports'][number]>`
    select id, kind, file_name as "fileName", state,
      case when rows > 0 then least(1, done::float8 / rows) else 0 end as progress
    from product_imports
    where state in ('reading', 'checking', 'importing') or state = 'checked' and error_count = 0
    order by started_at desc, id limit 5`.execute(db)
  return rows
}
