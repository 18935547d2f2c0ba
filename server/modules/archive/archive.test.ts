import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, anAdmin, anOrder, aStaffMember, type TestCustomer } from '../../../tests/factories.ts'
import { checkFile, runImport, uploadFile } from '../../../tests/product-import.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const header =
  'Name,Email,Financial Status,Fulfillment Status,Currency,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Shipping Name,Shipping Street,Shipping City,Shipping Zip,Shipping Country,Cancelled at,Notes'
const toFile = (...rows: string[]) => [header, ...rows].join('\n')
const first =
  "#1001,Ada@Example.com,paid,fulfilled,USD,128.90,2026-03-01 12:00:00 +0100,2,Brake pads,39.90,GW-204,Ada L,Main St 1,Boston,'02110,US,,call first"
const further = '#1001,,,,,,,1,Chain,49.10,,,,,,,,'
const other =
  '#1002,bob@example.com,partially_refunded,,EUR,10,2026-04-01 09:30:00 UTC,1,<b>Bolt</b>,10,,<script>alert(1)</script>,,,,,2026-04-02 10:00:00 +0200,'

const check = (file: string) => checkFile(shop, admin, file, 'shopify-orders')
const run = async (file: string) => runImport(shop, admin, await check(file))
const search = async (q: string) =>
  (await shop.call('searchPastOrders', { as: admin, query: { q } })).body.orders

const adasOrder = {
  number: '#1001',
  date: '2026-03-01T11:00:00.000Z',
  email: 'ada@example.com',
  name: 'Ada L',
  address: 'Main St 1, 02110 Boston, US',
  status: 'paid, fulfilled',
  currency: 'USD',
  total: 128.9,
  lines: [
    { name: 'Brake pads', quantity: 2, price: 39.9, sku: 'GW-204' },
    { name: 'Chain', quantity: 1, price: 49.1 },
  ],
}

describe('an order file of Shopify', () => {
  test('becomes past orders that staff find by number, name and email; the same file changes nothing', async () => {
    expect(await check(toFile(first, further, other))).toMatchObject({
      state: 'checked',
      rows: 3,
      added: 2,
      changed: 0,
      changes: [],
    })
    await run(toFile(first, further, other))
    expect(await search('1001')).toEqual([adasOrder])
    expect(await search('ada@example.com')).toEqual([adasOrder])
    expect(await search('ADA@example.com')).toEqual([adasOrder])
    expect((await search('example')).map(({ number }) => number)).toEqual(['#1002', '#1001'])
    expect(await search('da@example.com')).toEqual([])
    expect(await search('%%')).toEqual([])
    // Text stays text.
    expect(await search('<script>')).toMatchObject([
      {
        name: '<script>alert(1)</script>',
        status: 'cancelled, partially refunded',
        lines: [{ name: '<b>Bolt</b>' }],
      },
    ])

    expect(await check(toFile(first, further, other))).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
    await run(toFile(first.replace('fulfilled', 'unfulfilled'), further))
    expect(await search('1001')).toEqual([{ ...adasOrder, status: 'paid, unfulfilled' }])
    expect(await search('1002')).toHaveLength(1)
  })

  test('is refused from staff that may not read orders', async () => {
    const editor = await aStaffMember(shop, 'editor')
    expect(await uploadFile(shop, editor, toFile(first), 'shopify-orders')).toMatchObject(
      refused('NOT_ALLOWED'),
    )
    expect((await uploadFile(shop, editor, 'sku\n')).status).toBe(200)
  })

  test('that an admin has checked is neither listed, read nor run by staff that may not read orders', async () => {
    const editor = await aStaffMember(shop, 'editor')
    const { id } = await check(toFile(first))
    const input = { as: editor, params: { id } }
    const replies = [
      await shop.call('getImport', input),
      await shop.call('exportWrongRows', input),
      await shop.call('runImport', { ...input, query: {}, body: {} }),
      await shop.call('cancelImport', input),
      await shop.call('undoImport', input),
    ]
    for (const reply of replies) expect(reply).toMatchObject(refused('NOT_ALLOWED'))
    const list = async (as: TestCustomer) => {
      const { body, headers } = await shop.call('listImports', { as })
      return [body.map((listed) => listed.id), headers.get('x-total-count')]
    }
    expect(await list(editor)).toEqual([[], '0'])
    expect(await list(admin)).toEqual([[id], '1'])
    expect(await search('1001')).toEqual([])
    expect((await shop.call('getImport', { as: admin, params: { id } })).body.state).toBe('checked')
  })

  test('changes no order, no payment, no stock and no product', async () => {
    await anOrder(shop, admin)
    const sum = async () => {
      const { rows } = await sql<Record<string, string>>`
        select (select md5(string_agg(o::text, ',' order by id)) from orders o) as orders,
          (select md5(string_agg(l::text, ',' order by l::text)) from order_lines l) as lines,
          (select md5(string_agg(e::text, ',' order by id)) from order_events e) as events,
          (select md5(string_agg(p::text, ',' order by p::text)) from payments p) as payments,
          (select md5(string_agg(r::text, ',' order by r::text)) from refunds r) as refunds,
          (select md5(string_agg(m::text, ',' order by id)) from stock_movements m) as movements,
          (select md5(string_agg(p::text, ',' order by id)) from products p) as products,
          (select md5(string_agg(c::text, ',' order by id)) from customers c) as customers,
          (select count(*)::text from mail_outbox) as emails`.execute(shop.db)
      return rows[0]
    }
    const before = await sum()
    await run(toFile(first, further, other))
    expect(await sum()).toEqual(before)
    expect(before?.['orders']).toEqual(expect.any(String))
  })

  test.each([
    [first.replace('128.90', '1,28'), 'Total', 'Enter an amount such as 39.90'],
    [first.replace('128.90', ''), 'Total', 'Enter an amount such as 39.90'],
    [
      first.replace('2026-03-01 12:00:00 +0100', '01.03.2026'),
      'Created at',
      'Enter a date such as 2026-03-01 12:00:00 +0100',
    ],
    [
      first.replace('2026-03-01', '2026-13-41'),
      'Created at',
      'Enter a date such as 2026-03-01 12:00:00 +0100',
    ],
    [first.replace('USD', '$'), 'Currency', 'Enter a currency such as USD'],
    [first.replace('Ada@Example.com', 'Ada'), 'Email', 'This is not an email'],
    [first.replace(',2,Brake', ',two,Brake'), 'Lineitem quantity', 'Enter a whole number'],
    [first.replace('#1001', ''), 'Name', 'Enter the order number'],
  ])('with %s has an error', async (row, column, message) => {
    // Quoted, because a decimal comma would be another cell.
    const { errors, errorCount } = await check(toFile(row.replace('1,28', '"1,28"'), other))
    expect([errors, errorCount]).toEqual([[{ row: 2, column, message }], 1])
  })

  test('with many errors is checked to its end, and an order has all its lines', async () => {
    const lines = Array.from({ length: 2600 }, () => further)
    const last = further.replace('#1001', '#1002')
    const { errorCount, added, errors } = await check(toFile(first, ...lines, other, last))
    expect([errorCount, added]).toEqual([2101, 2])
    expect(errors[0]).toEqual({ row: 502, column: 'Name', message: 'An order can have 500 lines' })
    const { rows } = await sql`
      select jsonb_array_length(lines) as lines from past_order_import_rows order by row`.execute(shop.db)
    expect(rows).toEqual([{ lines: 500 }, { lines: 2 }])
  })

  test('whose rows of an order are apart, or without its columns, is refused', async () => {
    const { errors } = await check(
      toFile(first, other, further.replace(',,,,,,,1', ',,paid,,USD,5,2026-03-01 12:00:00 +0100,1')),
    )
    expect(errors).toEqual([
      { row: 4, column: 'Name', message: 'Row 2 has the same order. Its rows must follow each other' },
    ])
    const { failure } = await check('Name,Email\n#1001,a@b.c')
    expect(failure).toBe(
      'Row 1: the columns “Created at”, “Currency”, “Total”, “Lineitem name”, “Lineitem quantity” are missing. Export the orders in the admin of Shopify as a CSV file.',
    )
  })
})

describe('the past orders of a customer', () => {
  const list = (as: TestCustomer) => shop.call('listPastOrders', { as })

  test('are shown if the email is verified, and only those with this email', async () => {
    await run(toFile(first, further, other))
    const ada = await aCustomer(shop, { email: 'ada@example.com', emailVerified: false })
    expect(await list(ada)).toMatchObject(refused('EMAIL_UNCONFIRMED'))
    await shop.db.updateTable('customer_identities').set({ email_verified: true }).execute()
    expect((await list(ada)).body).toEqual({ orders: [adasOrder], more: false })

    // A verified email that the customer has no longer.
    await shop.db
      .updateTable('customers')
      .set({ email: 'bob@example.com' })
      .where('id', '=', ada.id)
      .execute()
    expect(await list(ada)).toMatchObject(refused('EMAIL_UNCONFIRMED'))
  })

  test('do not include orders without an email', async () => {
    await run(toFile(first.replace('Ada@Example.com', ''), further))
    expect(await search('1001')).toMatchObject([{ email: '' }])
  })
})
