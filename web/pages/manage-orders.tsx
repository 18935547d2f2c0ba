import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OrderTab, orderSorts, orderTabs } from '../../contract/order-status.ts'
import type { Order } from '../../contract/orders.ts'
import { pluralize } from '../../contract/plurals.ts'
import type { Shipment } from '../../contract/shipments.ts'
import type { OrderCounts } from '../../contract/work-lists.ts'
import { readMessage } from '../api.ts'
import { startOfDay } from '../day-range.ts'
import { newOrderPath } from '../features/desk/paths.ts'
import { ExportForm } from '../features/imports/export-button.tsx'
import { DayFilter } from '../features/orders/day-filter.tsx'
import { Tag } from '../features/orders/notes.tsx'
import { OrderList } from '../features/orders/order-list.tsx'
import { useShipOrder, workCountsQuery, workListQuery } from '../features/orders/queries.ts'
import { UndoShipping } from '../features/orders/undo-shipping.tsx'
import { IfAllowed } from '../features/staff/permissions.tsx'
import { useListParams } from '../list-view.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Manage Orders' })

export const tabs: Record<
  OrderTab,
  { name: string; count: keyof OrderCounts; empty: [title: string, text: string] }
> = {
  'to-ship': {
    name: 'To ship',
    count: 'toShip',
    empty: ['Nothing to ship', 'Paid orders appear here until all of their items are shipped.'],
  },
  unpaid: {
    name: 'Unpaid',
    count: 'unpaid',
    empty: ['No unpaid orders', 'Orders appear here until they are paid or expire.'],
  },
  shipped: {
    name: 'Shipped',
    count: 'shipped',
    empty: ['No shipped orders', 'Orders appear here when all of their items are shipped.'],
  },
  cancelled: {
    name: 'Cancelled',
    count: 'cancelled',
    empty: ['No cancelled orders', 'Cancelled orders appear here, paid or not.'],
  },
  all: {
    name: 'All',
    count: 'all',
    empty: ['No orders yet', 'Customer orders will appear here, newest first.'],
  },
}

export default function ManageOrders() {
  const params = useListParams()
  const tab = orderTabs.find((each) => each === params.filter('tab')) ?? 'all'
  const days = { from: params.filter('from'), to: params.filter('to') }
  const filters = {
    tab,
    from: startOfDay(days.from, 0),
    to: startOfDay(days.to, 1),
    tag: params.filter('tag') || undefined,
  }
  const query = { ...params.toQuery(orderSorts), ...filters }
  const list = useQuery(workListQuery(query))
  const read = list.isPlaceholderData ? undefined : list.data?.counts
  const live = useQuery({
    ...workCountsQuery({ ...filters, q: query.q, since: read?.at }),
    enabled: read !== undefined,
    initialData: read,
  })
  const counts = live.data ?? list.data?.counts
  const newer = live.data?.newer ?? 0
  const [isFiltering, setFiltering] = useState(false)
  const chosen = [days.from, days.to].filter(Boolean).length
  // The tab All has no orders that were cancelled unpaid, but the pages that link to it count them.
  const lacksCancelled = tab === 'all' && Boolean(query.q || filters.tag)
  const [title, text] = tabs[tab].empty
  const isFiltered = Boolean(query.q || filters.tag || filters.from || filters.to)
  return (
    <>
      <PageHead title="Manage Orders">
        <span className="flex flex-wrap gap-2 max-md:w-full md:flex-nowrap">
          <SearchBox label="Search orders" value={params.q} onSearch={params.search} />
          <Button
            variant="quiet"
            className="shrink-0 px-3 md:hidden"
            aria-expanded={isFiltering}
            aria-controls="order-filters"
            onClick={() => setFiltering(!isFiltering)}
          >
            Filters{chosen > 0 && ` (${chosen})`}
          </Button>
          <IfAllowed permission="customers">
            <LinkButton href={newOrderPath()} className="shrink-0">
              New order
            </LinkButton>
          </IfAllowed>
        </span>
      </PageHead>
      <nav aria-label="Work lists" className="mb-4 overflow-x-auto">
        <ul className="flex gap-2">
          {orderTabs.map((each) => (
            <li key={each}>
              <LinkButton
                size="small"
                variant={each === tab ? 'ink' : 'quiet'}
                aria-current={each === tab ? 'page' : undefined}
                href={params.filterLink('tab', each === 'all' ? '' : each)}
              >
                {tabs[each].name}{' '}
                {counts && <span className="tabular-nums">{formatCount(each, counts)}</span>}
              </LinkButton>
            </li>
          ))}
        </ul>
      </nav>
      <div
        id="order-filters"
        className={`mb-4 flex flex-wrap items-end justify-between gap-4 ${isFiltering ? '' : 'max-md:hidden'}`}
      >
        <DayFilter days={days} />
        <div className="flex flex-wrap items-center gap-3">
          <IfAllowed permission="ship">
            <LinkButton variant="quiet" href="/dashboard/packing-slips">
              Packing slips
            </LinkButton>
          </IfAllowed>
          <ExportForm route="exportOrderLines" query={{ ...filters, q: query.q }} />
        </div>
      </div>
      {filters.tag && (
        <p className="mb-4 flex flex-wrap items-center gap-3">
          Orders with the tag <Tag tag={filters.tag} />
          <LinkButton size="small" variant="quiet" href={params.filterLink('tag', '')}>
            Show all
          </LinkButton>
        </p>
      )}
      {lacksCancelled && counts && counts.cancelled > 0 && (
        <p className="mb-4 flex flex-wrap items-center gap-3">
          {/* Without their number: those cancelled after the payment are in this list as well. */}
          Cancelled orders
          <LinkButton size="small" variant="quiet" href={params.filterLink('tab', 'cancelled')}>
            Show
          </LinkButton>
        </p>
      )}
      <OrderList
        list={list}
        params={params}
        forAdmin
        nextStep={(order) => (
          <IfAllowed permission="ship">
            <DeliverButton order={order} />
          </IfAllowed>
        )}
        remark={({ tags, status, slipPrintedAt }) => (
          <>
            {status === 'paid' && slipPrintedAt && <span>Slip printed</span>}
            {tags.map((tag) => (
              <Tag key={tag} tag={tag} />
            ))}
          </>
        )}
        searched="order"
        empty={
          isFiltered ? (
            <EmptyState title="No results" action={<LinkButton href={`?tab=${tab}`}>Show all</LinkButton>}>
              No order matches these filters.
            </EmptyState>
          ) : (
            <EmptyState title={title}>{text}</EmptyState>
          )
        }
      />
      {/* Below the list, so that no row moves under a press. At the end of the page it covers nothing. */}
      <div role="status" className="low:static sticky bottom-4 z-5 mx-auto w-fit">
        {newer > 0 && (
          <p className="mt-4 flex flex-wrap items-center gap-3 rounded-card border border-line bg-surface px-4 py-2">
            {pluralize(newer, 'new order')}
            <BusyButton size="small" variant="ink" busy={list.isFetching} onClick={() => void list.refetch()}>
              Show
            </BusyButton>
          </p>
        )}
      </div>
    </>
  )
}

/** To ship and unpaid are exact; the others stop at a number. */
function formatCount(tab: OrderTab, counts: OrderCounts): string {
  const count = Number(counts[tabs[tab].count])
  const isCapped = tab !== 'to-ship' && tab !== 'unpaid' && count >= counts.capped
  return `${count.toLocaleString('en-US')}${isCapped ? '+' : ''}`
}

/** Ships all open items of an order, and offers to undo it. Renders nothing if the order cannot be shipped. */
function DeliverButton({ order }: { order: Order }) {
  const ship = useShipOrder()
  const [shipped, setShipped] = useState<Shipment | null>(null)
  if (shipped) {
    return (
      <UndoShipping orderId={order._id} shipment={shipped} onEnd={() => setShipped(null)}>
        Shipped ·
      </UndoShipping>
    )
  }
  if (order.status !== 'paid') return null
  return (
    <BusyButton
      size="small"
      busy={ship.isPending}
      data-deliver
      onClick={({ currentTarget }) =>
        ship.mutate(order._id, {
          onSuccess: (reply) => {
            focusNext(currentTarget)
            setShipped(reply.shipped?.undoUntil ? reply.shipped : null)
          },
          onError: (error) => showToast('error', readMessage(error)),
        })
      }
    >
      Delivered
    </BusyButton>
  )
}

/** Moves the focus to the same button of the next row that has one, because this one disappears. */
function focusNext(button: HTMLElement): void {
  const hasFocus = document.activeElement === button || document.activeElement === document.body
  const buttons = [...document.querySelectorAll<HTMLElement>('button[data-deliver]')]
  if (hasFocus) buttons[buttons.indexOf(button) + 1]?.focus()
}
