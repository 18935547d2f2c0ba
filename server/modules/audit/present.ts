import { type AuditEntry, auditAreas } from '../../../contract/audit.ts'
import { toDollars } from '../../../contract/money.ts'
import type { ProductFacts } from '../../../db/catalogue-schema.ts'
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

/** What is kept in other words than those on the wire. */
const words: Record<string, string> = { price_cents: 'price', minimum_quantity: 'minimum' }

function presentFacts(before: ProductFacts, after: ProductFacts): AuditEntry['changes'] {
  return Object.keys(after)
    .filter((field) => field !== 'deleted_at')
    .toSorted()
    .map((field) => ({
      field: words[field] ?? field,
      before: presentFact(field, before[field]),
      after: presentFact(field, after[field]),
    }))
}

function presentFact(field: string, value: ProductFacts[string] | undefined): string | undefined {
  if (value === null || value === undefined) return undefined
  return field === 'price_cents' ? String(toDollars(Number(value))) : String(value)
}
