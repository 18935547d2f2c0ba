import type { FastifyBaseLogger } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { OpenDatabase } from './database.ts'
import { lockMigrations } from './migrations.ts'

/**
 * Settings of every session. They belong to the role, because a pooler refuses them as parameters of a connection. JIT
 * compilation takes about 100 ms, if Postgres overestimates the cost of a short statement.
 */
const guards = { statement_timeout: '15s', idle_in_transaction_session_timeout: '30s', jit: 'off' }

/** Sets the guards of this role in this database, if they differ. Only new sessions have them. */
export async function setGuards({ db, pool }: Pick<OpenDatabase, 'db' | 'pool'>): Promise<void> {
  if ((await findMissingGuards(db)).length === 0) return
  await db.transaction().execute(async (tx) => {
    // Two processes must not change the same row.
    await lockMigrations(tx)
    const { rows } = await sql<{ database: string }>`
      select quote_ident(current_database()) as database`.execute(tx)
    const role = `alter role current_user in database ${rows[0]?.database}`
    for (const [name, value] of Object.entries(guards)) {
      await sql.raw(`${role} set ${name} = '${value}'`).execute(tx)
    }
  })
  pool.discardIdle()
}

/** Logs an error for each guard that sessions do not have, for example because a pooler opened them before. */
export async function checkGuards(
  db: Kysely<Database>,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<void> {
  for (const { name, value } of await findMissingGuards(db)) {
    log.error(
      `The database session has ${name} = ${value} instead of ${guards[name]}. Let the pooler reconnect, or set it for the role.`,
    )
  }
}

async function findMissingGuards(
  db: Kysely<Database>,
): Promise<{ name: keyof typeof guards; value: string }[]> {
  const names = Object.keys(guards)
  const { rows } = await sql<{ name: keyof typeof guards; value: string }>`
    select name, current_setting(name) as value from unnest(${names}::text[]) as name`.execute(db)
  return rows.filter(({ name, value }) => value !== guards[name])
}
