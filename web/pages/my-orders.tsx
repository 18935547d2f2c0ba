import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { orderSorts } from '../../contract/order-status.ts'
import type { Order } from '../../contract/orders.ts'
import { pluralize } from '../../contract/plurals.ts'
import { readMessage } from '../api.ts'
import { emailVerifiedQuery, MailboxNote, ResendEmail } from '../features/identity/email-link.tsx'
import { useUser } from '../features/identity/session.ts'
import { orderDate, orderNumber } from '../features/orders/order-labels.tsx'
import { OrderList } from '../features/orders/order-list.tsx'
import { guestOrdersQuery, orderPageQuery, useClaimGuestOrders } from '../features/orders/queries.ts'
import { useListParams } from '../list-view.tsx'
import { onDemand } from '../on-demand.ts'
import { explain } from '../owner-store.ts'
import { QueryScope } from '../query-scope.tsx'
import { navigate } from '../router/navigation.ts'
import { useSettings } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { LinkButton } from '../ui/button.tsx'
import { focusIfLost } from '../ui/focus.ts'
import { PageHead } from '../ui/page-head.tsx'
import { PagesNav } from '../ui/pages-nav.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'My Orders' })

export const parameters = ['sort', 'page', 'cancelled']

const toNextStep = (order: Order) => {
  if (order.payment) return <BuyAgain order={order} />
  return order.processing ? null : (
    <LinkButton href={`/dashboard/payment/${order._id}`} size="small">
      Pay
    </LinkButton>
  )
}

/** Puts the items of an order into the cart. */
function BuyAgain({ order }: { order: Order }) {
  const add = useMutation({
    async mutationFn() {
      const { putBackOrder } = await import('../features/cart/returned-lines.ts')
      return putBackOrder(order._id, '')
    },
    // The cart says what is not for sale any more.
    onSuccess: () => navigate('/cart'),
    onError: (error) => showToast('error', explain(error)),
  })
  return (
    <BusyButton
      variant="quiet"
      size="small"
      busy={add.isPending}
      aria-label={`Buy again: ${order.productName}`}
      onClick={() => add.mutate()}
    >
      Buy again
    </BusyButton>
  )
}

const orderings = [
  { sort: '', name: 'Newest first' },
  { sort: 'date', name: 'Oldest first' },
]

export default function MyOrders() {
  const { email } = useUser()
  return <OrdersOf email={email} />
}

export const Pending = () => (
  <QueryScope>
    <OrdersOf email="" />
  </QueryScope>
)

/** @param email empty until it is known */
function OrdersOf({ email }: { email: string }) {
  const params = useListParams()
  const list = useQuery({
    ...orderPageQuery({ ...params.toQuery(orderSorts), email }),
    enabled: email !== '',
  })
  return (
    <>
      <PageHead title="My Orders">
        {/* A phone has them in the control of the list. */}
        <nav aria-label="Sort" className="flex gap-4 max-md:hidden">
          {orderings.map(({ sort, name }) => (
            <a
              key={sort}
              href={params.sortLink(sort)}
              aria-current={sort === (params.sort ?? '') ? 'true' : undefined}
              className="flex min-h-11 items-center text-quiet underline aria-[current=true]:font-semibold
                aria-[current=true]:text-ink aria-[current=true]:no-underline"
            >
              {name}
            </a>
          ))}
        </nav>
      </PageHead>
      {email && <GuestOrders />}
      <OrderList
        list={list}
        params={params}
        orderings={orderings}
        nextStep={toNextStep}
        empty={
          <EmptyState
            title="No orders yet"
            action={<LinkButton href="/products">Browse the products</LinkButton>}
          >
            Your orders and their status will appear here.
          </EmptyState>
        }
      />
      {list.data && <CancelledOrders email={email} />}
      {email && <PastOrders />}
      {email && <UnverifiedEmail />}
    </>
  )
}

const cancelledPageSize = 5

/** Pages of cancelled and expired orders, each of which can be bought again. Renders nothing without any. */
export function CancelledOrders({ email }: { email: string }) {
  const { page, pageLink } = useListParams('cancelled')
  const { data } = useQuery(orderPageQuery({ email, status: 'cancelled', page, pageSize: cancelledPageSize }))
  if (!data || data.rows.length === 0) return null
  return (
    <section aria-labelledby="cancelled-orders" className="mt-10">
      <h2 id="cancelled-orders" className="mb-3 font-display text-xl font-bold">
        Cancelled orders
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {data.rows.map((order) => (
          <li key={order._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <a href={`/order/${order._id}`} className="min-h-11 min-w-0 hover:underline">
              <span className="font-semibold wrap-anywhere">{order.productName}</span>
              <span className="block text-sm text-quiet">
                {[`#${orderNumber(order._id)}`, orderDate(order)].filter(Boolean).join(' · ')}
              </span>
            </a>
            <BuyAgain order={order} />
          </li>
        ))}
      </ul>
      <PagesNav
        label="Pages of cancelled orders"
        page={page}
        pages={Math.ceil(data.total / cancelledPageSize)}
        link={(number) => `${pageLink(number)}#cancelled-orders`}
      />
    </section>
  )
}

const pastOrders = onDemand(() => import('../features/orders/past-orders.tsx'))

/** The orders of an earlier shop, for a verified email. Their code is loaded after the page. */
function PastOrders() {
  const { data: isVerified } = useQuery(emailVerifiedQuery)
  const code = pastOrders.useCode()
  useEffect(() => {
    if (isVerified) pastOrders.load().catch(() => undefined)
  }, [isVerified])
  return isVerified && code && <code.OwnPastOrders />
}

/** Offers to add the orders that the owner placed as a guest to the account. */
function GuestOrders() {
  const { data: { count } = { count: 0 } } = useQuery(guestOrdersQuery)
  const claim = useClaimGuestOrders()
  if (claim.data) {
    const { claimed } = claim.data
    return (
      <Panel>
        <p ref={focusIfLost} role="status" tabIndex={-1} className="font-semibold">
          {claimed === 0 ? 'These orders are already in My Orders.' : `${pluralize(claimed, 'order')} added.`}
        </p>
      </Panel>
    )
  }
  if (count === 0) return null
  return (
    <Panel>
      <p>You placed {pluralize(count, 'order')} as a guest with this email address.</p>
      {claim.isError && <Alert>{readMessage(claim.error)}</Alert>}
      <BusyButton busy={claim.isPending} onClick={() => claim.mutate()}>
        Add {count === 1 ? 'it' : 'them'} to My Orders
      </BusyButton>
    </Panel>
  )
}

/**
 * Guest orders are only offered for a verified email, because it could be a stranger's. So this is shown whether there
 * are any or not.
 */
function UnverifiedEmail() {
  const { mail } = useSettings()
  const { data: isVerified } = useQuery({ ...emailVerifiedQuery, enabled: mail !== 'off' })
  if (isVerified !== false) return null
  return (
    <div className="mt-10">
      <Panel>
        <p>
          <strong>Did you order as a guest?</strong> Please confirm your email address first. Then you can add
          those orders here.
        </p>
        <ResendEmail />
        {mail === 'mailbox' && <MailboxNote />}
      </Panel>
    </div>
  )
}

const Panel = ({ children }: { children: ReactNode }) => (
  <aside
    aria-label="Orders as a guest"
    className="mb-6 flex flex-col items-start gap-3 rounded-card border border-line bg-surface p-5"
  >
    {children}
  </aside>
)
