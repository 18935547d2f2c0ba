import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aPlacedCheckout,
  aProduct,
  payOrder,
  payTwice,
} from '../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { useCustomer, useTestShop } from '../../../tests/shop.ts'
import { saveTaxRate } from '../pricing/service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))
const rider = useCustomer(() => aCustomer(shop))

const columns =
  'order,number,created_at,kind,status,name,email,reason,pieces,total,tax,transaction_id,refund_id,note'

/** Downloads the file of refunds, and returns its rows without quotes. */
async function download(query: Record<string, string> = {}) {
  const { body, status } = await shop.request<string>('GET', '/api/v1/refunds.csv', { as: admin, query })
  expect(status, JSON.stringify(body)).toBe(200)
  const [header, ...rows] = body.trimEnd().split('\n')
  return { header, rows: rows.map((row) => row.split(query.decimals === 'comma' ? ';' : ',')) }
}
const listIds = async (query: Record<string, string>) => (await download(query)).rows.map(([order]) => order)

/** Refunds a piece of a paid order of three for $20 with 10 % tax, and returns the id of the order. */
async function refundPiece(reason = 'Not in stock'): Promise<string> {
  const tax = { place: 'US-IL', label: 'Sales tax', rate: 10, included: false, taxesShipping: false }
  await saveTaxRate(shop.db, 't1', tax, null)
  const variantId = await aProduct(shop, { price: 20 })
  const checkout = aCheckout([{ variantId, quantity: 3, unitPrice: 20 }], { total: 66 })
  const id = await aPlacedCheckout(shop, rider, checkout)
  await payOrder(shop, { as: rider }, id)
  const { status } = await shop.call('refundOrder', {
    as: admin,
    params: { id },
    headers: { 'idempotency-key': randomUUID() },
    body: { kind: 'cancellation', lines: [{ line: 1, amount: 22, pieces: 1 }], reason },
  })
  expect(status).toBe(200)
  return id
}

test('has a row for each refund, with its pieces and its tax', async () => {
  const id = await refundPiece()
  const { header, rows } = await download()
  expect(header).toBe(columns)
  const refund = await shop.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow()
  expect(rows).toEqual([
    [
      id,
      id.slice(0, 6),
      refund.created_at.toISOString().replace(/\.\d+Z$/, 'Z'),
      'cancellation',
      'succeeded',
      'Robin Rider',
      rider.email,
      'Not in stock',
      '1',
      '22.00',
      '2.00',
      refund.intent_id,
      refund.provider_refund_id,
      '',
    ],
  ])
})

test('has neither pieces nor tax of a payment that paid no order', async () => {
  const { intentId } = await payTwice(shop, rider)
  await expect.poll(async () => (await download()).rows).toMatchObject([expect.arrayContaining([intentId])])
  const { rows } = await download()
  expect(rows.map((row) => row.slice(7, 12))).toEqual([['order already paid', '', '40.00', '', intentId]])
})

test('has the refunds of a period and a status, oldest first, as the list has', async () => {
  // A webhook that is handled late would change the status again.
  const [first, second, third] = await whileWebhooksAreLost(shop, async () => [
    await refundPiece(),
    await refundPiece(),
    await refundPiece(),
  ])
  const change = (id: string, day: string, values: { status?: 'failed'; next_attempt_at?: Date } = {}) =>
    shop.db
      .updateTable('refunds')
      .set({ ...values, created_at: new Date(`${day}T00:00:00Z`) })
      .where('order_id', '=', id)
      .execute()
  const failed = { status: 'failed', next_attempt_at: new Date(Date.now() + 3_600_000) } as const
  await change(third, '2026-04-01')
  await change(first, '2026-05-01', failed)
  await change(second, '2026-06-01', failed)
  const expected: [Record<string, string>, string[]][] = [
    [{}, [third, first, second]],
    [{ from: '2026-05-01T00:00:00Z' }, [first, second]],
    [{ from: '2026-04-01T00:00:00Z', to: '2026-06-01T00:00:00Z' }, [third, first]],
    [{ from: '2026-05-01T02:00:00+02:00', to: '2026-05-01T02:00:01+02:00' }, [first]],
    [{ status: 'failed' }, [first, second]],
    [{ status: 'failed', to: '2026-06-01T00:00:00Z' }, [first]],
    [{ status: 'closed' }, []],
  ]
  for (const [query, ids] of expected) {
    expect(await listIds(query), JSON.stringify(query)).toEqual(ids)
    const { body, headers } = await shop.call('listRefunds', { as: admin, query })
    expect(body.map(({ orderId }) => orderId).toReversed(), JSON.stringify(query)).toEqual(ids)
    expect(headers.get('x-total-count')).toBe(String(ids.length))
  }
})

test('has decimal commas and semicolons for Excel', async () => {
  await refundPiece()
  const { header, rows } = await download({ decimals: 'comma' })
  expect(header).toBe(columns.replaceAll(',', ';'))
  expect(rows.map((row) => row.slice(8, 11))).toEqual([['1', '22,00', '2,00']])
})

test('protects spreadsheets from formulas', async () => {
  await refundPiece('=1+1')
  await shop.db.updateTable('refunds').set({ note: '@SUM(A1)' }).execute()
  await shop.db.updateTable('orders').set({ customer_name: '+Robin' }).execute()
  const { rows } = await download()
  expect(rows.map((row) => [row[5], row[7], row[13]])).toEqual([["'+Robin", "'=1+1", "'@SUM(A1)"]])
})
