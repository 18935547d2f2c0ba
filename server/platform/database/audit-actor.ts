import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** The author of a change; null if the shop makes it itself. */
type AuditActor = { customerId: string; ip: string | null } | null

/** Sets the audit actor for this transaction, as a selected value: triggers run later and write it to the history. */
export const auditActor = (by: AuditActor) =>
  sql`(set_config('shop.actor_id', ${by?.customerId ?? ''}, true), set_config('shop.client_ip', ${by?.ip ?? ''}, true))`

/**
 * Sets the audit actor for this transaction.
 *
 * @param importId the import that makes the changes
 */
export async function setAuditActor(tx: Kysely<Database>, by: AuditActor, importId = ''): Promise<void> {
  await sql`select ${auditActor(by)}, set_config('shop.import_id', ${importId}, true)`.execute(tx)
}
