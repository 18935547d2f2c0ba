import { type Kysely, sql } from 'kysely'

/** One process migrates at a time. */
export const MIGRATING = 7_461_019
/** One dry run or import of a file at a time, across all processes. */
export const IMPORTING = 7_461_023
/** Held by a transaction that changes many products for long: an import in one transaction, or new bikes. */
export const APPLYING = 7_461_024
/** Held by a short transaction that writes the part numbers of several products: a batch of an import, or saved variants. */
const BATCHING = 7_461_028
/** Held by a transaction that changes which product replaces another. `hashtext('replacements')`, as in version 1.0. */
export const REPLACING = -1_761_532_477
/** First key of the locks of unpaid orders; the second is the hash of a customer, email or network. */
export const COUNTING_ORDERS = 7_461_025
// 7_461_026 is the first key of the turns of orders with one discount code, in the SQL function `use_coupon`.
/** Held by a transaction from its read of the highest invoice number to its end. The last lock that it takes. */
export const INVOICING = 7_461_027
/** One admin saves the attributes of a kind of part at a time. */
export const SAVING_ATTRIBUTES = 7_461_040
/** First key of the locks of prints of the next packing slips; the second is the hash of an idempotency key. */
export const PRINTING_SLIPS = 7_461_092
/** Held while the shop makes a customer an admin, because its first admin becomes the owner. */
export const GRANTING_ADMIN = 7_461_091
/** Held while the paths of documents and redirects change. */
export const CHANGING_PATHS = 7_461_085

/**
 * Waits for orders and for batches. Until the end of the transaction, orders wait only briefly for a lock of a product,
 * and statements have no time limit. Must come before any row lock.
 */
export async function lockApplying<Schema>(tx: Kysely<Schema>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`select pg_advisory_xact_lock(${APPLYING})`.execute(tx)
}

/** An order that waits for the products of a batch waits this long at most for the locks of the batch. */
const batchLockTimeout = '500ms'

/**
 * Waits for long transactions and for other batches. Until the end of the transaction, variants are not saved, a lock
 * takes at most half a second, and statements have no time limit. Must come before any row lock.
 */
export async function lockBatch<Schema>(tx: Kysely<Schema>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`select pg_advisory_xact_lock_shared(${APPLYING})`.execute(tx)
  await sql`select pg_advisory_xact_lock(${BATCHING})`.execute(tx)
  await sql`select set_config('lock_timeout', ${batchLockTimeout}, true)`.execute(tx)
}

/** Waits for a batch. Until the end of the transaction, no batch starts. Must come before any row lock. */
export async function delayBatches<Schema>(tx: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${BATCHING})`.execute(tx)
}
