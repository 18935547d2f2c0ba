import type { Order } from '../../../contract/orders.ts'

/** Until when an order can be paid, in the viewer's own date format. Orders are only rendered in the browser. */
export function PayBy({ order: { payBy } }: { order: Order }) {
  if (!payBy) return null
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  // A no-break space keeps AM and PM beside the time.
  const text = format.format(new Date(payBy)).replace(/\s(?=[AP]M$)/i, '\u00a0')
  return <time dateTime={payBy}>{text}</time>
}
