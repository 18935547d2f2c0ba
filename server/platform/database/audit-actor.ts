import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** The author of a change; null if the shop makes it itself. */
type AuditActor = { customerId: string; ip: string | null } | null

/** Sets the audit actor for this transaction, as a selected value: triggers run later and write it to the history. */
export const auditActor = (by: AuditActor) =>
  sql`(set_config('shop.actor_id', ${by?.customerId ?? ''}, true), set_config('shop.client_ip', ${by?.ip ?? ''}, true))`

/** Sets the audit actor for this transaction. */
export async function setAuditActor(tx: Kysely<Database>, by: AuditActor): Promise<void> {
  await sql`select ${auditActor(by)}`.execute(tx)
}
