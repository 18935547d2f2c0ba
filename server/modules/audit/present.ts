import { type AuditEntry, auditAreas } from '../../../contract/audit.ts'
import { toDollars } from '../../../contract/money.ts'
import { type ProductColumn, productColumns } from '../../../contract/product-columns.ts'
import type { ProductFacts } from '../../../db/catalog-schema.ts'
import type { Change } from './queries.ts'

/** A change on the wire. */
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
    address: change.address ?? undefined,
    subject: { id: change.subject_id, name: change.subject_name, gone: change.is_gone },
    pieces: change.pieces ?? undefined,
    orderId: area === 'stock' ? (change.order_id ?? undefined) : undefined,
    changes: change.after ? presentFacts(change.before ?? {}, change.after) : undefined,
  }
}

function presentFacts(before: ProductFacts, after: ProductFacts): AuditEntry['changes'] {
  return productColumns
    .filter(({ sql }) => sql in after)
    .map((column) => ({
      field: column.name,
      before: presentFact(column, before[column.sql]),
      after: presentFact(column, after[column.sql]),
    }))
}

function presentFact({ type }: ProductColumn, value: ProductFacts[string] | undefined): string | undefined {
  if (value === null || value === undefined) return undefined
  return String(type === 'cents' ? toDollars(Number(value)) : value)
}
