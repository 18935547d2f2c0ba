import { useEffect, useLayoutEffect, useState } from 'react'
import { orderNumber } from '../../../contract/order-number.ts'
import { useLocation } from '../../router/router.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { focusMainIfLost } from '../../ui/lost-focus.ts'
import { ClockIcon } from '../../ui/order-icons.tsx'
import {
  forgetUnpaid,
  type UnpaidOrder,
  unpaidOrderPages,
  useEndedOrders,
  useUnpaidOrders,
} from '../../unpaid-orders.ts'

/** An order may have been paid or cancelled elsewhere, or its payment has failed. After an error the next page asks again. */
const check = () =>
  void import('./check-unpaid.ts').then(({ checkUnpaid }) => checkUnpaid()).catch(() => undefined)

/** The guest's newest unpaid order, on the pages that do not show it themselves. */
export function UnpaidOrderLine() {
  const { pathname } = useLocation()
  const orders = useUnpaidOrders()
  const order = unpaidOrderPages.test(pathname) ? undefined : orders.at(-1)
  useEffect(check, [])
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

interface UnpaidOrderListProps {
  /** Puts the items of an ended order back into the cart, and forgets it. Shows a failure itself. */
  putBack: (order: UnpaidOrder) => Promise<void>
}

/** All unpaid orders of a guest, each with a button. They include orders that have ended. */
export function UnpaidOrderList({ putBack }: UnpaidOrderListProps) {
  const ended = useEndedOrders()
  // An order may have expired since the document was loaded.
  useEffect(check, [])
  return (
    <>
      {useUnpaidOrders().map(({ id, key }) => (
        <p key={id} className={`${rowClass} border-wait bg-wait-wash`}>
          <span className="flex items-center gap-2">
            <ClockIcon className="size-5 shrink-0 text-wait" />
            Order #{orderNumber(id)} awaits payment.
          </span>
          <LinkButton href={`/order/${id}#${key}`} size="small" aria-label={`Pay order #${orderNumber(id)}`}>
            Pay
          </LinkButton>
        </p>
      ))}
      {ended.map((order) => (
        <EndedOrder key={order.id} order={order} putBack={() => putBack(order)} />
      ))}
    </>
  )
}

const rowClass =
  'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border-l-4 px-4 py-3'

/** An order that has ended without a payment: the stock of its items is free again. */
function EndedOrder({ order, putBack }: { order: UnpaidOrder; putBack: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false)
  const number = orderNumber(order.id)
  const press = async () => {
    setBusy(true)
    await putBack()
    setBusy(false)
    focusMainIfLost()
  }
  return (
    <div className={`${rowClass} border-edge bg-shade`}>
      <p>
        <a href={`/order/${order.id}#${order.key}`} className="underline">
          Order #{number}
        </a>{' '}
        {order.ended === 'expired' ? 'was not paid in time.' : 'was cancelled.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <BusyButton
          size="small"
          busy={isBusy}
          aria-label={`Put its items back: order #${number}`}
          onClick={press}
        >
          Put its items back
        </BusyButton>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Dismiss order #${number}`}
          onClick={() => {
            forgetUnpaid(order.id)
            focusMainIfLost()
          }}
        >
          Dismiss
        </Button>
      </div>
    </div>
  )
}
