import type { AuditArea, AuditEntry } from '../../../contract/audit.ts'
import { formatMoment } from '../../../contract/dates.ts'
import { formatDollars } from '../../../contract/money.ts'
import { orderNumber } from '../../../contract/order-number.ts'
import { orderEventNames } from '../../order-events.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Email } from '../../ui/email.tsx'
import { roleNames } from '../staff/permissions.tsx'

const linkClass = 'text-left text-signal underline wrap-anywhere'

/** @param onOpenOrder opens the details of an order */
export function auditColumns(onOpenOrder: (id: string) => void): Column<AuditEntry>[] {
  return [
    {
      head: 'When',
      onPhone: 'whole',
      cell: ({ at }) => (
        <time dateTime={at} className="tabular-nums md:whitespace-nowrap">
          {formatMoment(at)}
        </time>
      ),
    },
    {
      head: 'What',
      names: true,
      onPhone: 'whole',
      cell: (entry) => <What entry={entry} onOpenOrder={onOpenOrder} />,
    },
    { head: 'Item', onPhone: 'whole', cell: (entry) => <Subject entry={entry} onOpenOrder={onOpenOrder} /> },
    { head: 'Changed by', onPhone: 'inline', cell: (entry) => <Who entry={entry} /> },
    {
      head: 'IP address',
      onPhone: 'inline',
      cell: ({ ip = '–' }) => (
        <span className={`text-sm tabular-nums ${ip.includes(':') ? 'break-all' : 'whitespace-nowrap'}`}>
          {ip}
        </span>
      ),
    },
  ]
}

interface CellProps {
  entry: AuditEntry
  onOpenOrder: (id: string) => void
}

function What({ entry: { area, kind, subject, pieces, orderId, changes }, onOpenOrder }: CellProps) {
  const ownNames = subject.variant && area === 'products' ? variantKindNames : areaKindNames[area]
  return (
    <>
      {ownNames?.[kind] ?? kindNames[kind]}
      {pieces !== undefined && (
        <span className="block text-sm font-normal tabular-nums">
          {piecesMoved(pieces)}
          {orderId && (
            <>
              {' for order '}
              <OrderButton id={orderId} onOpen={onOpenOrder} />
            </>
          )}
        </span>
      )}
      {changes && changes.length > 0 && <FieldChanges changes={changes} />}
    </>
  )
}

function OrderButton({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  return (
    <button type="button" className={linkClass} onClick={() => onOpen(id)}>
      #{orderNumber(id)}
    </button>
  )
}

/** Name of the changed record, with links to it and to all of its changes. */
function Subject({ entry: { area, subject }, onOpenOrder }: CellProps) {
  const { id, name, deleted } = subject
  const isProduct = area === 'stock' || area === 'products'
  return (
    <>
      <span className="block wrap-anywhere">
        {area === 'roles' && <Email email={name} />}
        {isProduct && !deleted && (
          <a href={`/dashboard/update-product/${id}`} className={linkClass}>
            {name}
          </a>
        )}
        {area === 'imports' && (
          <a href={`/dashboard/import-products?import=${id}`} className={linkClass}>
            {name}
          </a>
        )}
        {area !== 'roles' && area !== 'imports' && (!isProduct || deleted) && name}
      </span>
      <span className="text-sm text-quiet">
        {area === 'orders' && (
          <>{deleted ? `#${orderNumber(id)}` : <OrderButton id={id} onOpen={onOpenOrder} />} </>
        )}
        {deleted && (isProduct ? '(deleted) ' : '(cancelled) ')}
        <a
          href={`?${new URLSearchParams({ subject: subjects[area]?.(subject) ?? id })}`}
          className="underline"
        >
          All changes<span className="sr-only"> of {name}</span>
        </a>
      </span>
    </>
  )
}

/** The filter for all changes of an entry's subject, if it is not its id. */
const subjects: Partial<Record<AuditArea, (subject: AuditEntry['subject']) => string>> = {
  roles: ({ name }) => name,
  imports: ({ id }) => `import:${id}`,
}

const actorNames = { customer: 'Customer', guest: 'Guest', admin: 'Staff' }

function Who({ entry: { by } }: { entry: AuditEntry }) {
  if (!by) return <span className="text-quiet">System</span>
  const { email, name, role, staffRole } = by
  return (
    <>
      {name && <span className="block wrap-anywhere">{name}</span>}
      <Email email={email} />
      <span className="block text-sm text-quiet">{staffRole ? roleNames[staffRole] : actorNames[role]}</span>
    </>
  )
}

/** Old and new value of each changed field. */
function FieldChanges({ changes }: { changes: NonNullable<AuditEntry['changes']> }) {
  return (
    <dl className="mt-1 text-sm font-normal">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="wrap-anywhere">
          <dt className="inline text-quiet">{field}: </dt>
          <dd className="inline">
            {before !== undefined && (
              <>
                <del className="line-clamp-3 inline text-quiet">{toValue(field, before)}</del> →{' '}
              </>
            )}
            {after === undefined ? <span className="text-quiet">empty</span> : toValue(field, after)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const dollarFields = new Set(['price', 'freeFrom', 'amount', 'minGoods'])

/** Formats a value; texts are cut after 120 characters. */
function toValue(field: string, value: string): string {
  if (dollarFields.has(field)) return formatDollars(Number(value))
  if (field === 'rate') return `${value}%`
  return value.length > 120 ? `${value.slice(0, 120)}…` : value
}

export const areaNames: Record<AuditArea, string> = {
  orders: 'Orders',
  stock: 'Stock',
  products: 'Products and prices',
  roles: 'Admins',
  brands: 'Brands and size charts',
  bikes: 'Bikes',
  'aces-codes': 'ACES codes',
  rates: 'Charges and codes',
  synonyms: 'Search words',
  imports: 'Imports',
  attributes: 'Attributes of kinds',
  settings: 'Settings of the shop',
  content: 'Pages, posts and redirects',
  'two-step': 'Two-step login',
  refunds: 'Refunds closed by hand',
  'payment-links': 'Payment links',
  emails: 'Failed emails',
}

const kindNames: Record<AuditEntry['kind'], string> = {
  ...orderEventNames,
  claimed: 'Guest order added to an account',
  cancelled: 'Order cancelled',
  expired: 'Order cancelled: not paid in time',
  refund_failed: 'Refund failed',
  unshipped: 'Shipment set back',
  sale: 'Stock sold',
  release: 'Stock released',
  return: 'Stock returned',
  restock: 'Restocked',
  count: 'Stock counted',
  added: 'Product added',
  edited: 'Product changed',
  deleted: 'Product deleted',
  owner: 'Made an owner',
  admin: 'Promoted to admin',
  editor: 'Made an editor',
  packer: 'Made a packer',
  support: 'Made a support person',
  admin_by_settings: 'Role given by ADMIN_EMAILS at login',
  admin_by_command: 'Role given on the command line',
  admin_removed: 'Role removed',
}

const variantKindNames: Partial<typeof kindNames> = {
  added: 'Variant added',
  edited: 'Variant changed',
  deleted: 'Variant removed',
}

const areaKindNames: Partial<Record<AuditArea, Partial<typeof kindNames>>> = {
  brands: { added: 'Brand data added', edited: 'Brand data changed', deleted: 'Size chart deleted' },
  bikes: { added: 'Bikes added', edited: 'Bike data changed' },
  'aces-codes': { added: 'ACES codes added', edited: 'ACES codes changed' },
  rates: {
    added: 'Rate or code added',
    edited: 'Rate or code changed',
    deleted: 'Rate deleted',
  },
  synonyms: {
    added: 'Search words added',
    edited: 'Search words changed',
    deleted: 'Search words deleted',
  },
  imports: { added: 'File imported' },
  attributes: {
    added: 'Attributes added',
    edited: 'Attributes changed',
    deleted: 'Attributes removed',
  },
  settings: { edited: 'Settings changed' },
  content: {
    added: 'Page, post or redirect added',
    edited: 'Page, post or redirect changed',
    deleted: 'Redirect deleted',
  },
  'two-step': { added: 'Two-step login set up', deleted: 'Two-step login removed' },
  refunds: { edited: 'Refund closed' },
  'payment-links': { edited: 'Time to pay changed' },
  emails: { deleted: 'Failed email deleted' },
}

/** Such as `+4 pcs`, with a true minus. */
const piecesMoved = (pieces: number): string =>
  `${pieces < 0 ? '−' : '+'}${Math.abs(pieces).toLocaleString('en-US')} pcs`
