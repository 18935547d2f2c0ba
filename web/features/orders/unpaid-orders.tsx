import { useEffect, useLayoutEffect } from 'react'
import { orderNumber } from '../../../contract/order-number.ts'
import { useLocation } from '../../router/router.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { ClockIcon } from '../../ui/order-icons.tsx'
import { unpaidOrderPages, useUnpaidOrders } from '../../unpaid-orders.ts'

/** The guest's newest unpaid order, on the pages that do not show it themselves. */
export function UnpaidOrderLine() {
  const { pathname } = useLocation()
  const orders = useUnpaidOrders()
  const order = unpaidOrderPages.test(pathname) ? undefined : orders.at(-1)
  useEffect(() => {
    // An order may have been paid or cancelled elsewhere, or its payment has failed. After an error the next document asks again.
    import('./check-unpaid.ts').then(({ checkOnce }) => checkOnce()).catch(() => undefined)
  }, [])
  // The reserved space becomes the space of the line.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-unpaid', order !== undefined)
  }, [order])
  return (
    order && (
      <a
        href={`/order/${order.id}#${order.key}`}
        className="page-width flex min-h-11 items-center gap-2 text-sm hover:underline md:text-base"
      >
        <ClockIcon className="size-5 shrink-0 text-wait" />
        <span>
          Order #{orderNumber(order.id)} awaits payment ·{' '}
          <strong className="text-signal underline">Pay</strong>
        </span>
      </a>
    )
  )
}

/** All unpaid orders of a guest, each with a button. */
export function UnpaidOrderList() {
  return useUnpaidOrders().map(({ id, key }) => (
    <p
      key={id}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border-l-4 border-wait
        bg-wait-wash px-4 py-3"
    >
      <span className="flex items-center gap-2">
        <ClockIcon className="size-5 shrink-0 text-wait" />
        Order #{orderNumber(id)} awaits payment.
      </span>
      <LinkButton href={`/order/${id}#${key}`} size="small" aria-label={`Pay order #${orderNumber(id)}`}>
        Pay
      </LinkButton>
    </p>
  ))
}
