import { useState } from 'react'
import { formatDate } from '../../../contract/dates.ts'
import type { FoundCustomer, FoundOrder } from '../../../contract/desk.ts'
import { formatDollars } from '../../../contract/money.ts'
import type { OrderStatus } from '../../../contract/order-status.ts'
import { pluralize } from '../../../contract/plurals.ts'
import { Chip, type ChipProps } from '../../ui/chip.tsx'
import { CheckIcon, CloseIcon } from '../../ui/icons.tsx'
import { ClockIcon, PersonIcon, TruckIcon } from '../../ui/order-icons.tsx'
import { OrderDetailsById } from '../orders/order-details.tsx'
import { customerPath } from './paths.ts'

const cancelled: ChipProps = { tone: 'bad', icon: CloseIcon, children: 'Cancelled' }
const statuses: Record<OrderStatus, ChipProps> = {
  unpaid: { tone: 'wait', icon: ClockIcon, children: 'Unpaid' },
  paid: { tone: 'good', icon: CheckIcon, children: 'To ship' },
  shipped: { tone: 'ink', icon: TruckIcon, children: 'Shipped' },
  cancelled,
  // It was paid and then cancelled, perhaps for nothing.
  refunded: cancelled,
}

interface FoundOrdersProps {
  orders: FoundOrder[]
  /** Opens this order at first. */
  openId?: string | undefined
}

/** Orders, cancelled ones too, each of which opens its details. */
export function FoundOrders({ orders, openId = '' }: FoundOrdersProps) {
  const [opened, setOpened] = useState(openId)
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {orders.map((order) => (
          <li key={order.id}>
            <button
              type="button"
              onClick={() => setOpened(order.id)}
              className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-2 py-3 text-left hover:bg-shade"
            >
              <span className="min-w-0 grow basis-full md:basis-64">
                <span className="font-semibold wrap-anywhere">
                  #{order.number} · {order.name || order.email}
                  {order.city && ` · ${order.city}`}
                </span>
                <span className="block text-sm text-quiet wrap-anywhere">
                  {[
                    order.date && formatDate(order.date),
                    order.product,
                    order.phone.replaceAll(' ', '\u00a0'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <span className="tabular-nums">{formatDollars(order.amount)}</span>
              <span className="md:w-28 md:text-right">
                <Chip {...statuses[order.status]} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {opened && <OrderDetailsById key={opened} id={opened} onClose={() => setOpened('')} />}
    </>
  )
}

export const FoundCustomers = ({ customers }: { customers: FoundCustomer[] }) => (
  <ul className="divide-y divide-line border-y border-line">
    {customers.map(({ email, name, phone, orders, unverified }) => (
      <li key={email}>
        <a
          href={customerPath(email)}
          className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-2 py-3 hover:bg-shade"
        >
          <span className="min-w-0 grow basis-full md:basis-64">
            <span className="font-semibold wrap-anywhere">{name || email}</span>
            <span className="block text-sm text-quiet wrap-anywhere">
              {[email, phone, unverified && 'email not confirmed'].filter(Boolean).join(' · ')}
            </span>
          </span>
          <Chip tone="quiet" icon={PersonIcon}>
            {pluralize(orders, 'order')}
          </Chip>
        </a>
      </li>
    ))}
  </ul>
)
