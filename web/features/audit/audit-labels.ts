import type { AuditArea, AuditEntry } from '../../../contract/audit.ts'

export const areaNames: Record<AuditArea, string> = {
  orders: 'Orders',
  stock: 'Stock',
  products: 'Products and prices',
  roles: 'Admins',
}

const kindNames: Record<AuditEntry['kind'], string> = {
  placed: 'Order placed',
  options: 'Size and colour chosen',
  processing: 'Payment processing',
  payment_failed: 'Payment failed',
  paid: 'Paid',
  shipped: 'Shipped',
  cancelled: 'Order cancelled',
  expired: 'Order cancelled: not paid in time',
  refund_due: 'Refund due',
  refunded: 'Refunded',
  refund_failed: 'Refund failed',
  sale: 'Stock sold',
  release: 'Stock released',
  restock: 'Restocked',
  count: 'Stock counted',
  added: 'Product added',
  edited: 'Product changed',
  deleted: 'Product deleted',
  admin: 'Promoted to admin',
  admin_by_settings: 'Promoted to admin by ADMIN_EMAILS at login',
  admin_by_command: 'Promoted to admin on the command line',
  admin_removed: 'Admin role removed',
}

export const kindName = ({ kind }: AuditEntry): string => kindNames[kind]

/** Order number shown to users. */
export const shortId = (id: string): string => `#${id.slice(0, 6)}`

/** `+4 pcs`, with a true minus. */
export const piecesMoved = (pieces: number): string =>
  `${pieces < 0 ? '−' : '+'}${Math.abs(pieces).toLocaleString('en-US')} pcs`

const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

export const formatTimestamp = ({ at }: AuditEntry): string => moments.format(new Date(at))
