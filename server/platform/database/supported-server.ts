import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { StartupError } from '../errors.ts'

/** Earlier ones lack `returning old`, which only some statements use. */
const minPostgres = 18

/** @throws StartupError if the shop does not work with this server or the encoding of this database */
export async function requireSupportedServer(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding`.execute(db)
  const fault = rows[0] && findServerFault(rows[0].version, rows[0].encoding)
  if (fault) throw new StartupError(fault)
}

/**
 * Returns a sentence if the shop does not work with this version and encoding, else null.
 *
 * @param version a number such as 170006 for 17.6
 */
export function findServerFault(version: number, encoding: string): string | null {
  const major = Math.floor(version / 10_000)
  if (major >= minPostgres && encoding === 'UTF8') return null
  return `The shop needs Postgres ${minPostgres} or newer with encoding UTF8; this database has Postgres ${major}.${version % 10_000} with encoding ${encoding}. Set DATABASE_URL to another one.`
}
