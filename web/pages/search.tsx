import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SearchResults } from '../../contract/desk.ts'
import { FoundCustomers, FoundOrders } from '../features/desk/hits.tsx'
import { customerPath } from '../features/desk/paths.ts'
import { searchQuery } from '../features/desk/queries.ts'
import { DeskSearchForm, SearchKeyField } from '../features/desk/search-form.tsx'
import { FoundPastOrders, pastOrdersQuery } from '../features/orders/past-orders.tsx'
import { IfAllowed } from '../features/staff/permissions.tsx'
import { QueryError } from '../query-error.tsx'
import { navigate } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Search' })

/** The results of the search for orders and customers. The only hit opens immediately. */
export default function Search() {
  const { search } = useLocation()
  const q = new URLSearchParams(search).get('q')?.trim() ?? ''
  const found = useQuery({ ...searchQuery(q), enabled: q.length >= 2 })
  return (
    <>
      <PageHead title="Search" note={q && `Orders and customers for “${q}”`} />
      <DeskSearchForm q={q} isFocused={q === ''} className="mb-6 lg:hidden" />
      {q.length < 2 ? (
        <EmptyState title="Find an order or a customer">
          Enter words of a name, an address or a product in any order, the end of a phone number, an order
          number, a part number, a bar code or an email. Cancelled orders are found too.
        </EmptyState>
      ) : found.data ? (
        // A failed reload must not close the details of an order.
        <Results key={q} q={q} found={found.data} />
      ) : found.isError ? (
        <QueryError title="The search failed" query={found} />
      ) : (
        <FullSpinner />
      )}
      <SearchKeyField />
    </>
  )
}

function Results({ q, found }: { q: string; found: SearchResults }) {
  const { orders, customers, moreOrders, moreCustomers } = found
  const past = useQuery(pastOrdersQuery(q))
  const hasHits = orders.length + customers.length > 0
  const onlyCustomer = orders.length === 0 && customers.length === 1 ? customers[0]?.email : undefined
  useEffect(() => {
    if (onlyCustomer) navigate(customerPath(onlyCustomer), { replace: true })
  }, [onlyCustomer])
  const onlyOrder = customers.length === 0 && orders.length === 1 ? orders[0]?.id : undefined
  const list = (page: string) => `/dashboard/${page}?${new URLSearchParams({ q })}`
  return (
    <div className="flex flex-col gap-8 pb-10">
      {found.indexing && <p role="status">Older orders are still being indexed.</p>}
      {!hasHits && past.isPending && <FullSpinner />}
      {!hasHits && past.data?.orders.length === 0 && (
        <EmptyState
          title="No results"
          action={
            <IfAllowed permission="catalog">
              <LinkButton variant="quiet" href={list('manage-products')}>
                Search products
              </LinkButton>
            </IfAllowed>
          }
        >
          No order and no customer matches “{q}”.
        </EmptyState>
      )}
      {orders.length > 0 && (
        <section aria-labelledby="found-orders">
          <h2 id="found-orders" className="mb-3 font-display text-xl font-bold">
            Orders
          </h2>
          <FoundOrders orders={orders} openId={onlyOrder} />
          {moreOrders && (
            <p className="mt-3">
              These are the newest {orders.length}.{' '}
              <a href={list('manage-orders')}>See all orders for “{q}”</a>
            </p>
          )}
        </section>
      )}
      {customers.length > 0 && (
        <section aria-labelledby="found-customers">
          <h2 id="found-customers" className="mb-3 font-display text-xl font-bold">
            Customers
          </h2>
          <FoundCustomers customers={customers} />
          {moreCustomers && (
            <p className="mt-3">
              These are the newest {customers.length}.{' '}
              <a href={list('manage-users')}>See all customers for “{q}”</a>
            </p>
          )}
        </section>
      )}
      {past.isLoadingError && (
        <QueryError title="The orders of the previous shop could not be loaded" query={past} />
      )}
      <FoundPastOrders q={q} />
    </div>
  )
}
