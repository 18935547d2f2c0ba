import { queryOptions, useQuery } from '@tanstack/react-query'
import { formatDate } from '../../../contract/dates.ts'
import type { PastOrder, PastOrders } from '../../../contract/past-orders.ts'
import { call } from '../../api.ts'

const formatAmount = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount)

interface PastOrderSectionProps {
  title: string
  /** Undefined until they are read. */
  found: PastOrders | undefined
  isStaff: boolean
  className?: string | undefined
}

/** Orders of an earlier shop, each of which opens its details. Renders nothing without orders. */
function PastOrderSection({ title, found, isStaff, className }: PastOrderSectionProps) {
  if (!found || found.orders.length === 0) return null
  const { orders, more } = found
  return (
    <section aria-labelledby="past-orders" className={className}>
      <h2 id="past-orders" className="mb-3 font-display text-xl font-bold">
        {title}
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {orders.map((order) => (
          <li key={order.number}>
            <details>
              <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-2 py-3 hover:bg-shade">
                <span className="min-w-0 grow basis-full md:basis-64">
                  <span className="font-semibold wrap-anywhere">
                    {order.number}
                    {isStaff && ` · ${order.name || order.email}`}
                  </span>
                  <span className="block text-sm text-quiet wrap-anywhere">
                    {[formatDate(order.date), order.status].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <span className="tabular-nums">{formatAmount(order.total, order.currency)}</span>
                <span className="text-signal underline">Details</span>
              </summary>
              <Details order={order} isStaff={isStaff} />
            </details>
          </li>
        ))}
      </ul>
      {more && <p className="mt-3 text-quiet">These are the newest {orders.length}.</p>}
    </section>
  )
}

function Details({ order, isStaff }: { order: PastOrder; isStaff: boolean }) {
  const { lines, currency, name, address, email } = order
  const receiver = [name, address, isStaff ? email : ''].filter(Boolean).join(', ')
  return (
    <div className="px-2 pb-4">
      <ul>
        {lines.map((line, index) => (
          // The lines of an order never change, and two can be equal.
          <li key={String(index)} className="flex justify-between gap-4 py-1 wrap-anywhere">
            <span>
              {line.quantity} × {line.name}
              {line.sku && <span className="block text-sm text-quiet">{line.sku}</span>}
            </span>
            <span className="tabular-nums">{formatAmount(line.price, currency)}</span>
          </li>
        ))}
      </ul>
      {receiver && <p className="mt-2 text-sm text-quiet wrap-anywhere">{receiver}</p>}
    </div>
  )
}

const ownQuery = queryOptions({
  queryKey: ['past-orders'],
  queryFn: ({ signal }) => call('listPastOrders', { signal }),
})

/** The orders of an earlier shop, if there are any, of a user with a verified email. */
export function OwnPastOrders() {
  const { data } = useQuery(ownQuery)
  return (
    <PastOrderSection title="Orders from our previous shop" found={data} isStaff={false} className="mt-10" />
  )
}

/** Past orders that match a text, for staff. */
export const pastOrdersQuery = (q: string) =>
  queryOptions({
    queryKey: ['past-orders', 'search', q],
    queryFn: ({ signal }) => call('searchPastOrders', { query: { q }, signal }),
    enabled: q.length >= 2,
  })

/** The past orders that match a text, if there are any. */
export function FoundPastOrders({ q, className }: { q: string; className?: string }) {
  const { data } = useQuery(pastOrdersQuery(q))
  return <PastOrderSection title="Orders of the previous shop" found={data} isStaff className={className} />
}
