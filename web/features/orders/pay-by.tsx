import type { Order } from '../../../contract/orders.ts'

/** Until when an order can be paid, in the viewer's own date format. Orders are only rendered in the browser. */
export function PayBy({ order: { payBy } }: { order: Order }) {
  if (!payBy) return null
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return <time dateTime={payBy}>{format.format(new Date(payBy))}</time>
}
