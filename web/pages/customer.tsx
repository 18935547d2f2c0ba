import { useQuery } from '@tanstack/react-query'
import { formatDate } from '../../contract/dates.ts'
import type { DeskCustomer } from '../../contract/desk.ts'
import { type OrderStatus, orderStatuses } from '../../contract/order-status.ts'
import { toEmailUrl, toPhoneUrl } from '../contact-urls.ts'
import { FoundOrders } from '../features/desk/hits.tsx'
import { newOrderPath } from '../features/desk/paths.ts'
import { customerQuery } from '../features/desk/queries.ts'
import { Notes } from '../features/orders/notes.tsx'
import { FoundPastOrders } from '../features/orders/past-orders.tsx'
import { QueryError } from '../query-error.tsx'
import { useLocation } from '../router/router.tsx'
import { LinkButton } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'

export const meta = () => ({ title: 'Customer' })

/** A person by the email in the URL, with or without an account. */
export default function Customer() {
  const email = new URLSearchParams(useLocation().search).get('email')?.trim() ?? ''
  const customer = useQuery(customerQuery(email))
  if (customer.data) return <Loaded key={email} customer={customer.data} />
  return (
    <>
      <PageHead title="Customer" note={email} />
      {customer.isError ? (
        <QueryError title="The customer could not be loaded" query={customer} />
      ) : (
        <FullSpinner />
      )}
    </>
  )
}

export const statusNames: Record<OrderStatus, string> = {
  unpaid: 'unpaid',
  paid: 'to ship',
  shipped: 'shipped',
  cancelled: 'cancelled',
  refunded: 'cancelled after payment',
}

function Loaded({ customer }: { customer: DeskCustomer }) {
  const { email, name, phone, account, orders, counts, addresses, bikes, notes } = customer
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const described = orderStatuses.flatMap((status) =>
    counts[status] ? [`${counts[status]} ${statusNames[status]}`] : [],
  )
  return (
    <>
      <PageHead title="Customer" note={name || email}>
        <LinkButton href={newOrderPath(email)}>New order</LinkButton>
      </PageHead>
      <div className="grid gap-x-10 gap-y-8 pb-10 md:grid-cols-2">
        <section aria-label="Contact">
          <DescriptionList
            items={[
              { name: 'Name', value: name },
              { name: 'Email', value: <a href={toEmailUrl(email)}>{email}</a> },
              {
                name: 'Phone',
                value: phone && <a href={toPhoneUrl(phone)}>{phone}</a>,
              },
              {
                name: 'Account',
                value: account
                  ? [
                      `Since ${formatDate(account.since)}`,
                      account.role,
                      account.unverified && 'email not confirmed',
                    ]
                      .filter(Boolean)
                      .join(', ')
                  : 'None, ordered as a guest',
              },
              { name: 'Addresses', value: addresses.join('\n') },
              { name: 'Bikes', value: bikes.map((bike) => bike.name).join('\n') },
            ]}
          />
        </section>
        <div className="md:-mt-6">
          <Notes notes={notes} subject={{ email }} heading="h2" />
        </div>
        <section aria-labelledby="customer-orders" className="md:col-span-2">
          <h2 id="customer-orders" className="font-display text-xl font-bold">
            Orders ({total})
          </h2>
          <p className="mb-3 text-quiet">{described.join(' · ')}</p>
          {orders.length > 0 && <FoundOrders orders={orders} />}
          {total > orders.length && (
            <LinkButton
              className="mt-4"
              variant="quiet"
              href={`/dashboard/manage-orders?${new URLSearchParams({ q: email })}`}
            >
              All orders
            </LinkButton>
          )}
        </section>
        <FoundPastOrders q={email} className="md:col-span-2" />
      </div>
    </>
  )
}
