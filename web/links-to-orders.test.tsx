import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { expect, test } from 'vitest'
import type { OrderTab } from '../contract/order-status.ts'
import { renderInRouter } from '../tests/render-in-router.tsx'
import { emailPageQuery, orderPageQuery, workListQuery } from './features/orders/queries.ts'
import { returnPageQuery } from './features/returns/queries.ts'
import Emails from './pages/emails.tsx'
import ManageOrders from './pages/manage-orders.tsx'
import { CancelledOrders } from './pages/my-orders.tsx'
import Returns from './pages/returns.tsx'

const orderId = 'a1b2c3d4e5f60718293a4b5c'
const firstPage = { page: 1, pageSize: 20 }

/** Renders a page with these data in the cache. */
function render(Page: ComponentType, queryKey: readonly unknown[], data: object, search = ''): string {
  const client = new QueryClient()
  client.setQueryData(queryKey, data)
  return renderInRouter(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
    {},
    search,
  )
}

test.each([
  ['a return', Returns, returnPageQuery, { email: 'ada@example.com', status: 'closed', lines: [] }],
  ['a failed email', Emails, emailPageQuery, { email: 'ada@example.com', kind: 'order-cancelled' }],
])('%s links to the search, which finds cancelled orders too', (_what, page, query, row) => {
  const list = {
    rows: [{ id: 'r1', orderId, requestedAt: '2026-11-26', failedAt: '2026-11-26', ...row }],
    total: 1,
  }
  const html = render(page, query(firstPage).queryKey, list)
  expect(html).toContain(`<a href="/dashboard/search?q=${orderId}"`)
})

test.each([
  ['q=ada%40example.com', { q: 'ada@example.com', tab: 'all' }, '?q=ada%40example.com&amp;tab=cancelled'],
  ['tag=%23late', { tag: '#late', tab: 'all' }, '?tag=%23late&amp;tab=cancelled'],
  ['q=ada&tab=shipped', { q: 'ada', tab: 'shipped' }, null],
  ['', { tab: 'all' }, null],
] satisfies [string, { q?: string; tag?: string; tab: OrderTab }, string | null][])(
  'Manage Orders with “%s” offers the cancelled orders unless a tab is chosen',
  (search, query, link) => {
    const counts = { toShip: 0, unpaid: 0, shipped: 0, cancelled: 2, all: 0, capped: 10_000, at: '' }
    const { queryKey } = workListQuery({ ...firstPage, ...query })
    const html = render(ManageOrders, queryKey, { rows: [], total: 0, counts }, `?${search}`)
    expect(html).toContain('Work lists')
    const offered = /<p[^>]*>Cancelled orders<a [^>]*href="([^"]*)"/.exec(html)?.[1]
    expect(offered ?? null).toBe(link)
  },
)

test('My Orders has pages of cancelled orders, apart from the pages of the others', () => {
  const email = 'ada@example.com'
  const { queryKey } = orderPageQuery({ email, status: 'cancelled', page: 2, pageSize: 5 })
  const list = { rows: [{ _id: orderId, productName: 'Chain' }], total: 11 }
  const html = render(() => <CancelledOrders email={email} />, queryKey, list, '?page=4&cancelled=2')
  expect(html).toContain('Chain')
  for (const link of ['?page=4', '?page=4&amp;cancelled=3'])
    expect(html).toContain(`href="${link}#cancelled-orders"`)
})
