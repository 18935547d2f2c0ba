import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AuditArea } from '../../../contract/audit.ts'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'

/** An area without a table of its own: a new one needs a line in `auditAreas`, and no migration. */
export type RecordedArea = Exclude<AuditArea, 'orders' | 'stock' | 'products' | 'roles'>

export interface Change {
  area: RecordedArea
  /** The name by which the audit is filtered. */
  subject: string
  /** The name in the list. */
  name: string
  kind: 'added' | 'edited' | 'deleted'
  /** The changed values. */
  before: ChangedColumns
  after: ChangedColumns
  /** Null if the shop makes the change itself. */
  actor: Actor | null
}

/** Adds a change to the history. */
export async function insertChange(
  tx: Kysely<Database>,
  { actor, before, after, ...change }: Change,
): Promise<void> {
  await tx
    .insertInto('changes')
    .values({
      ...change,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      actor_id: actor?.customerId ?? null,
      client_ip: actor?.ip ?? null,
    })
    .execute()
}

/**
 * A statement that adds many changes to the history. As a part of the statement that makes them, it records exactly what
 * that changes.
 *
 * @param rows a query of the columns subject, kind, before and after
 */
export const insertChanges = (
  { area, actor }: Pick<Change, 'area' | 'actor'>,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into changes (area, subject, name, kind, before, after, actor_id, client_ip)
  select ${area}, subject, subject, kind, before, after, ${actor?.customerId ?? null}::text, ${actor?.ip ?? null}::inet
  from (${rows}) as recorded`
