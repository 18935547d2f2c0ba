import { type AuditArea, type AuditEntry, auditAreas } from '../../../contract/audit.ts'
import { toDollars, toPercent } from '../../../contract/money.ts'
import { type ProductColumn, productColumns } from '../../../contract/product-columns.ts'
import { toPlainDollars } from '../../../contract/typed-numbers.ts'
import { variantColumns } from '../../../contract/variants.ts'
import type { ChangedColumns, ListedValue } from '../../../db/catalog-schema.ts'
import type { Calls } from '../../http/calls.ts'
import { ShopError } from '../../platform/errors.ts'
import * as queries from './queries.ts'

const usualPage = 50

export function registerAudit(calls: Calls): void {
  calls.handle('listAudit', async ({ query, db }) => {
    const size = query.pageSize ?? usualPage
    const after = query.after === undefined ? null : decodeCursor(query.after)
    // One extra row shows whether there is a next page.
    const { rows: changes } = await queries.changesQuery(query, after, size + 1).execute(db)
    const last = changes.length > size ? changes[size - 1] : undefined
    return { entries: changes.slice(0, size).map(presentChange), next: last && encodeCursor(last) }
  })
}

const encodeCursor = ({ micros, rank, id }: queries.Cursor): string => `${micros}.${rank}.${id}`

/** @throws INVALID_REQUEST */
function decodeCursor(text: string): queries.Cursor {
  const [, micros, rank, id] = /^(\d{1,16})\.(\d{1,2})\.(\d{1,15})$/.exec(text) ?? []
  if (!micros || Number(micros) > Number.MAX_SAFE_INTEGER) {
    throw new ShopError('INVALID_REQUEST', { fields: { after: 'This cursor is not valid' } })
  }
  return { micros: Number(micros), rank: Number(rank), id: Number(id) }
}

/** Converts a change to the wire format. */
function presentChange(change: queries.Change): AuditEntry {
  const area = auditAreas[change.rank] ?? 'orders'
  return {
    id: `${area}-${change.id}`,
    at: new Date(change.micros / 1000).toISOString(),
    area,
    kind: change.kind,
    by: presentActor(change),
    ip: change.client_ip ?? undefined,
    subject: {
      id: change.subject_id,
      name: change.subject_name,
      deleted: change.is_deleted,
      variant: change.is_variant || undefined,
    },
    pieces: change.pieces ?? undefined,
    orderId: area === 'stock' ? (change.order_id ?? undefined) : undefined,
    changes: change.after
      ? presentChangedColumns(area, { before: change.before ?? {}, after: change.after })
      : presentGivenRole(change),
  }
}

type AuditedColumn = Pick<ProductColumn, 'name' | 'sql'> & { type: ProductColumn['type'] | 'ppm' }

/** A column by its name in the database: `free_from_cents` is `freeFrom` in dollars, `rate_ppm` is `rate` in per cent. */
const toColumn = (column: string): AuditedColumn => ({
  name: column
    .replace(/_(?:cents|ppm)$/, '')
    .replaceAll(/_(\w)/g, (_, initial: string) => initial.toUpperCase()),
  sql: column,
  type: column.endsWith('_cents') ? 'cents' : column.endsWith('_ppm') ? 'ppm' : 'text',
})

/** The listed columns of a product, and its attributes, fitments, part numbers, certificates and pictures. */
const columnsOfProduct: AuditedColumn[] = [
  ...productColumns,
  ...variantColumns,
  ...[
    'fit_kind',
    'fit_complete',
    'attributes',
    'fitments',
    'part_numbers',
    'replaced_by',
    'certificates',
    'pictures',
  ].map(toColumn),
]

/** The kind of a change by the shop itself does not name the role. */
const presentGivenRole = ({ kind, given_role }: queries.Change): AuditEntry['changes'] =>
  given_role && kind !== given_role ? [{ field: 'role', after: given_role }] : undefined

function presentActor({
  by_guest,
  actor_id,
  actor_email,
  actor_name,
  actor_role,
  customer_id,
  customer_email,
}: queries.Change): AuditEntry['by'] {
  if (by_guest) return { email: customer_email ?? '', role: 'guest' }
  if (!actor_email) return undefined
  if (actor_id === customer_id) return { email: actor_email, role: 'customer' }
  return {
    email: actor_email,
    role: 'admin',
    name: actor_name || undefined,
    staffRole: actor_role ?? undefined,
  }
}

function presentChangedColumns(
  area: AuditArea,
  { before, after }: Record<'before' | 'after', ChangedColumns>,
): AuditEntry['changes'] {
  const columns =
    area === 'products'
      ? columnsOfProduct.filter(({ sql }) => sql in after)
      : Object.keys(after).toSorted().map(toColumn)
  const changes = columns.map((column) => ({
    field: column.name,
    before: presentChangedColumn(column, before[column.sql]),
    after: presentChangedColumn(column, after[column.sql]),
  }))
  // A new product without attributes has an empty object.
  return changes.filter((change) => change.field !== 'attributes' || change.before || change.after)
}

function presentChangedColumn(
  { type }: AuditedColumn,
  value: ChangedColumns[string] | undefined,
): string | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.map(presentListed).join('; ') || undefined
  if (typeof value === 'object') {
    const values = Object.entries(value).map(([name, each]) => `${name}: ${each}`)
    return values.join('; ') || undefined
  }
  if (type === 'boolean') return value ? 'yes' : 'no'
  if (type === 'ppm') return String(toPercent(Number(value)))
  return type === 'cents' ? toPlainDollars(toDollars(Number(value))) : String(value)
}

/** A certificate, a picture, or a row of a size chart, such as `M: 96–100, –`. */
function presentListed(item: ListedValue): string {
  if (typeof item === 'string') return item
  if ('image' in item) return [item.image, item.colour, item.alt].filter(Boolean).join(', ')
  const values = item.values.map((range) => (range ? [...new Set(range)].join('–') : '–'))
  return `${item.size}: ${values.join(', ')}`
}
