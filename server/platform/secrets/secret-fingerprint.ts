import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { hasTable } from '../database/database.ts'
import { StartupError } from '../errors.ts'
import { deriveKey, type Secrets } from './secrets.ts'

/** Identifies a secret without revealing it. */
const toFingerprint = (secret: string): string => deriveKey(secret, 'fingerprint').toString('hex')

/**
 * Changes nothing. A database without a fingerprint, or without tables, accepts any secret.
 *
 * @throws StartupError if the running shop has another secret
 */
export async function requireSameSecret(db: Kysely<Database>, secrets: Secrets): Promise<void> {
  if (!(await hasTable(db, 'public.secret_fingerprint'))) return
  const stored = await findFingerprint(db)
  if (stored && !secrets.map(toFingerprint).includes(stored)) throw otherSecret()
}

/**
 * Stores the fingerprint of the current secret, replacing the fingerprint of a previous one. Writes nothing if it is
 * stored, so that a process also starts while the database is read-only.
 *
 * @throws StartupError if another secret has been stored since
 */
export async function storeFingerprint(db: Kysely<Database>, secrets: Secrets): Promise<void> {
  const fingerprints = secrets.map(toFingerprint)
  if ((await findFingerprint(db)) === fingerprints[0]) return
  const { rows } = await sql`
    insert into secret_fingerprint as stored (fingerprint) values (${fingerprints[0]})
    on conflict (is_only) do update set fingerprint = excluded.fingerprint
      where stored.fingerprint = any(${fingerprints})
    returning fingerprint`.execute(db)
  if (rows.length === 0) throw otherSecret()
}

async function findFingerprint(db: Kysely<Database>): Promise<string | undefined> {
  const stored = await db.selectFrom('secret_fingerprint').select('fingerprint').executeTakeFirst()
  return stored?.fingerprint
}

/** Makes this the secret of the shop, without the previous one. */
export async function replaceFingerprint(db: Kysely<Database>, [secret]: Secrets): Promise<void> {
  await db.deleteFrom('secret_fingerprint').execute()
  await db
    .insertInto('secret_fingerprint')
    .values({ fingerprint: toFingerprint(secret) })
    .execute()
}

const otherSecret = () =>
  new StartupError(
    'The shop on this database has another secret. Set SHOP_SECRET to it, add it to SHOP_PREVIOUS_SECRETS, or run npm run reset-secret, which signs all users out.',
  )
