import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

/** Lists the tables that the audit reads, and the tables of versions up to 1.0.0, from the catalog of the database. */
export async function listAuditTables(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.view_table_usage where view_name = 'audit_changes'
    union select tgrelid::regclass::text from pg_trigger where tgname = 'append_only'
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}
