import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { renderInRouter } from '../tests/render-in-router.tsx'
import { searchQuery } from './features/desk/queries.ts'
import { pastOrdersQuery } from './features/orders/past-orders.tsx'
import Search from './pages/search.tsx'

const q = 'nothing'

function createClient() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  const none = { orders: [], customers: [], moreOrders: false, moreCustomers: false }
  client.setQueryData(searchQuery(q).queryKey, none)
  return client
}

const renderSearch = (client: QueryClient) =>
  renderInRouter(
    <QueryClientProvider client={client}>
      <Search />
    </QueryClientProvider>,
    {},
    `?q=${q}`,
  )

test('a search without hits waits for the orders of the previous shop, and says if they cannot be loaded', async () => {
  const client = createClient()
  expect(renderSearch(client)).toContain('role="status"')
  const queryFn = () => Promise.reject(new Error('No response'))
  await client.prefetchQuery({ ...pastOrdersQuery(q), queryFn })
  expect(renderSearch(client)).toContain('The orders of the previous shop could not be loaded')
  client.setQueryData(pastOrdersQuery(q).queryKey, { orders: [], more: false })
  expect(renderSearch(client)).toContain('No results')
})
