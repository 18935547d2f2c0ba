import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { vacuum } from '../seed/fill-catalog.ts'
import * as orders from '../server/modules/orders/service.ts'
import { inTransaction } from '../server/platform/database/database.ts'
import { anAdmin } from '../tests/factories.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { quantile } from '../tests/quantiles.ts'
import { fill, openEmptyCatalog } from './catalog-under-test.ts'
import { atMost, below, type Measure, timeCalls } from './measure.ts'
import { measureOrderLines } from './order-lines.ts'

const [few, many] = [10_000, 1_000_000]
const products = 2_000
const requests = 150
const warmUps = 10

const names = ['Jürgen', 'Uwe', 'Maria', 'Łukasz', 'Ada', 'Petra', 'Robin', 'Søren', 'Zoë', 'Hans']
const cities = ['Berlin', 'Saarbrücken', 'Bonn', 'Köln', 'Bad Ems', 'Hamburg', 'Łódź', 'Graz']

interface Sample {
  id: string
  customer_name: string
  customer_email: string
  customer_phone: string
  ship_city: string
  ship_postal_code: string
  transaction_id: string
  sku: string
}

/** How an admin asks for an order: once for each form. */
const forms: [what: string, toInput: (order: Sample) => string][] = [
  ['name', ({ customer_name }) => customer_name],
  ['words in another order', ({ customer_name }) => customer_name.split(' ').toReversed().join(' ')],
  ['first name', ({ customer_name }) => customer_name.split(' ')[0] ?? ''],
  [
    'beginnings',
    ({ customer_name }) =>
      customer_name
        .split(' ')
        .map((word) => word.slice(0, 3))
        .join(' '),
  ],
  ['phone', ({ customer_phone }) => customer_phone],
  ['end of the phone', ({ customer_phone }) => customer_phone.slice(-4)],
  ['number', ({ id }) => `#${id.slice(0, 6)}`],
  ['payment', ({ transaction_id }) => transaction_id],
  ['part number', ({ sku }) => sku.toLowerCase().replaceAll('-', '')],
  ['email', ({ customer_email }) => customer_email],
  ['city', ({ ship_city }) => ship_city],
  ['postal code and city', (order) => `${order.ship_postal_code} ${order.ship_city}`],
]

/** The orders whose lines are exported. They have 2.5 lines on average. */
const exported = { orders: 400_000, lines: 1_000_000 }

/** Times of search, work lists and marking orders as paid and shipped, with a hundred times as many orders. */
export const desk: Measure = {
  name: 'desk',
  async run(print) {
    const shop = await openEmptyCatalog()
    await fill(shop, products, print)
    const admin = await anAdmin(shop)
    const measureAt = async (from: number, count: number) => {
      await addOrders(shop.db, from, count, print)
      const searches = []
      for (const [what, toInput] of forms) {
        print(`searching by ${what}`)
        searches.push(await search(shop, admin, toInput))
      }
      const toShip = await repeat(() =>
        shop.processes[0].call('listWork', { as: admin, query: { tab: 'to-ship', pageSize: 20 } }),
      )
      const counts = await repeat(() => shop.processes[0].call('countWork', { as: admin }))
      print('marking orders as paid and as shipped')
      return { searches, toShip, counts, ...(await advance(shop, admin)) }
    }
    const before = await measureAt(0, few)
    const after = await measureAt(few, many)
    const file = await measureOrderLines(shop, admin, exported, print)
    const p95 = (values: number[] = []) => quantile(values, 0.95)
    return [
      ...forms.map(([what], index) =>
        below(`search at 1,000,000 orders by ${what}, 95th percentile`, 'ms', p95(after.searches[index]), 50),
      ),
      atMost(2, {
        what: 'search at 1,000,000 orders, 95th percentile',
        unit: 'ms',
        ours: p95(after.searches.flat()),
        limit: p95(before.searches.flat()),
      }),
      atMost(1.2, {
        what: 'orders to ship at 1,000,000 orders, 95th percentile',
        unit: 'ms',
        ours: p95(after.toShip),
        limit: p95(before.toShip),
      }),
      below('counts at 1,000,000 orders, 95th percentile', 'ms', p95(after.counts), 30),
      ...(['paid', 'shipped'] as const).map((step) =>
        atMost(1.2, {
          what: `an order marked as ${step} at 1,000,000 orders, 95th percentile`,
          unit: 'ms',
          ours: p95(after[step]),
          limit: p95(before[step]),
        }),
      ),
      ...file,
    ]
  },
}

const repeat = (call: (number: number) => Promise<{ status: number }>) =>
  timeCalls({ count: requests, warmUps }, call)

async function search(
  shop: ShopUnderTest,
  as: { token: string },
  toInput: (order: Sample) => string,
): Promise<number[]> {
  const { rows } = await sql<Sample>`
    select orders.id, customer_name, customer_email, customer_phone, ship_city, ship_postal_code, transaction_id, sku
    from orders join order_lines on order_id = orders.id and line_number = 1
    where transaction_id is not null and sku is not null
    order by md5(orders.id) limit ${requests + warmUps}`.execute(shop.db)
  let next = 0
  return repeat(() => {
    const order = rows[next++ % rows.length]
    return shop.processes[0].call('search', { as, query: { q: order ? toInput(order) : '' } })
  })
}

/** Marks random orders as paid, by the shop's statements, and as shipped, by its call. Returns the milliseconds of both. */
async function advance(
  { db, processes: [{ call }] }: ShopUnderTest,
  as: { token: string },
): Promise<{ paid: number[]; shipped: number[] }> {
  const { rows } = await sql<{ id: string }>`
    update orders set status = 'unpaid', placed_at = now(), paid_at = null, shipped_at = null,
      payment_provider = null, transaction_id = null
    where id in (select id from orders where status = 'shipped' order by md5(id) limit ${requests + warmUps})
    returning id`.execute(db)
  const toId = (number: number) => rows[number]?.id ?? ''
  const paid = await repeat(async (number) => {
    await inTransaction(db, async (tx) => {
      await orders.lockOrder(tx, toId(number))
      await orders.markPaid(tx, toId(number), { provider: 'stripe', id: `pi_bench_${toId(number)}` })
    })
    return { status: 200 }
  })
  const shipped = await repeat((number) =>
    call('updateShipping', { as, params: { id: toId(number) }, body: { shipping: 'Shipped' } }),
  )
  return { paid, shipped }
}

/** Adds orders with 2.5 lines on average from one number to another, and 3 customers for 10 orders. 2,500 orders are to ship. */
async function addOrders(
  db: Kysely<Database>,
  first: number,
  count: number,
  print: (progress: string) => void,
): Promise<void> {
  await sql`
    create table if not exists bench_variants as
    select row_number() over (order by variants.id) - 1 as place, variants.id, product_id, name, sku
    from variants join products on products.id = product_id where sku is not null`.execute(db)
  await sql`create unique index if not exists bench_variants_place on bench_variants (place)`.execute(db)
  const batch = 50_000
  for (let from = first; from < count; from += batch) {
    const to = Math.min(count, from + batch)
    print(`adding orders up to ${to.toLocaleString('en')}`)
    await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      const numbers = sql`generate_series(${from + 1}::integer, ${to}::integer) as n`
      await sql`
        insert into customers (id, email, name, phone)
        select 'c' || n, 'rider' || n || '@example.com',
          (${names}::text[])[1 + n % 10] || ' ' || initcap(translate(left(md5(n::text), 7), '0123456789', 'aeioulnrst')),
          '+49 171 ' || (1000000 + hashtext(n::text)::bigint & 8388607)
        from ${numbers} where n % 10 < 3`.execute(tx)
      await sql`
        insert into orders (id, customer_id, status, amount_cents, pieces, line_count, customer_email, customer_name,
          customer_phone, shipping_address, ship_line1, ship_city, ship_postal_code, ship_country, placed_at, paid_at,
          shipped_at, cancelled_at, payment_provider, transaction_id, is_indexed)
        select left(md5('order' || n), 24), customers.id, status, 10000, lines, lines, email, name, phone,
          n || ' Long Road, ' || city || ' ' || code || ', Germany', n || ' Long Road', city, code, 'DE', placed,
          case when is_paid then placed end, case status when 'shipped' then placed end,
          case status when 'cancelled' then placed end, case when is_paid then 'stripe' end,
          case when is_paid then 'pi_' || n end, true
        from ${numbers}
          cross join lateral (select 1 + n % 4 as lines, now() - (${many}::integer - n) * interval '1 minute' as placed,
            (${cities}::text[])[1 + n % 8] as city, (10000 + n % 80000)::text as code,
            case when n <= ${few}::integer and n % 4 = 0 then 'paid' when n % 50 = 0 then 'cancelled'
              when n % 500 = 1 then 'unpaid' else 'shipped' end as status) as each
          cross join lateral (select status in ('paid', 'shipped') as is_paid) as paid
          join customers on customers.id = 'c' || (n - n % 10 + n % 3)`.execute(tx)
      await sql`
        insert into order_lines (order_id, line_number, product_id, variant_id, product_name, product_image, sku,
          unit_price_cents, quantity)
        select orders.id, line, product_id, variants.id, name, '', sku, 100, 1
        from ${numbers} join orders on orders.id = left(md5('order' || n), 24)
          cross join generate_series(1, line_count) as line
          join bench_variants as variants
            on place = (n * 7 + line * 13) % (select count(*) from bench_variants)`.execute(tx)
      await sql`
        insert into order_documents (order_id, placed_at, document)
        select orders.id, placed_at, build_order_document(orders.id)
        from ${numbers} join orders on orders.id = left(md5('order' || n), 24)`.execute(tx)
    })
  }
  await vacuum(db, ['orders', 'order_lines', 'order_documents', 'customers'])
}
