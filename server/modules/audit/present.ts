import { type AuditEntry, auditAreas } from '../../../contract/audit.ts'
import { toDollars } from '../../../contract/money.ts'
import { type ProductColumn, productColumns } from '../../../contract/product-columns.ts'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'
import type { Change } from './queries.ts'

/** Converts a change to the wire format. */
export function presentChange(change: Change): AuditEntry {
  const area = auditAreas[change.rank] ?? 'orders'
  const isCustomer = change.actor_id === change.customer_id
  return {
    id: `${area}-${change.id}`,
    at: new Date(change.micros / 1000).toISOString(),
    area,
    kind: change.kind,
    by: change.actor_email
      ? { email: change.actor_email, role: isCustomer ? 'customer' : 'admin' }
      : undefined,
    ip: change.client_ip ?? undefined,
    subject: { id: change.subject_id, name: change.subject_name, deleted: change.is_deleted },
    pieces: change.pieces ?? undefined,
    orderId: area === 'stock' ? (change.order_id ?? undefined) : undefined,
    changes: change.after ? presentChangedColumns(change.before ?? {}, change.after) : undefined,
  }
}

function presentChangedColumns(before: ChangedColumns, after: ChangedColumns): AuditEntry['changes'] {
  return productColumns
    .filter(({ sql }) => sql in after)
    .map((column) => ({
      field: column.name,
      before: presentChangedColumn(column, before[column.sql]),
      after: presentChangedColumn(column, after[column.sql]),
    }))
}

function presentChangedColumn(
  { type }: ProductColumn,
  value: ChangedColumns[string] | undefined,
): string | undefined {
  if (value === null || value === undefined) return undefined
  return String(type === 'cents' ? toDollars(Number(value)) : value)
}
