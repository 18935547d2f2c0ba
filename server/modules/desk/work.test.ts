import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../../contract/receipts.ts'
import {
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aPaidOrder,
  aProduct,
  payOrder,
  someJacket,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { checkFile, checkUndo, runImport } from '../../../tests/product-import.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))

const readToday = async () => (await shop.call('getToday', { as: admin })).body
const scan = async (code: string) => (await shop.call('scan', { as: admin, query: { code } })).body

describe('GET /v1/today', () => {
  test('is all zeros in a new shop', async () => {
    expect(await readToday()).toEqual({
      toShip: 0,
      unpaid: 0,
      newOrders: 0,
      failedRefunds: 0,
      failedEmails: 0,
      lowStock: 0,
      imports: [],
      returns: 0,
      withdrawals: 0,
    })
  })

  test('counts the orders to ship with the oldest one, the unpaid ones, and the new ones', async () => {
    const [first, second] = [await aPaidOrder(shop, rider), await aPaidOrder(shop, rider)]
    const paidAt = new Date('2026-11-01T08:00:00Z')
    await shop.db
      .updateTable('orders')
      .set({ paid_at: paidAt, placed_at: paidAt })
      .where('id', '=', first)
      .execute()
    await shop.call('shipOrder', { as: admin, params: { id: second }, body: {} })
    await anOrder(shop, rider)
    const cancelled = await anOrder(shop, rider)
    await shop.call('cancelOrder', { as: rider, params: { id: cancelled } })
    expect(await readToday()).toMatchObject({
      toShip: 1,
      oldestToShip: paidAt.toISOString(),
      unpaid: 1,
      newOrders: 2,
    })
  })

  test('counts what has failed, what came back, and what is in progress', async () => {
    const orderId = await aPaidOrder(shop, rider)
    const refund = { id: 'r1', provider: 'stripe', intent_id: 'pi_1', order_id: orderId, amount_cents: 1 }
    await shop.db
      .insertInto('refunds')
      .values({ ...refund, reason: '', status: 'failed', next_attempt_at: new Date() })
      .execute()
    const email = { id: 'm1', kind: 'order-received', email: rider.email, subject: orderId } as const
    await shop.db
      .insertInto('mail_outbox')
      .values([
        { ...email, expires_at: new Date(), failed_at: new Date() },
        { ...email, id: 'm2', kind: 'order-refunded', expires_at: new Date() },
      ])
      .execute()
    const typed = { order_number: 'a1b2c3', email: 'ada@example.com', name: 'Ada' }
    await shop.db
      .insertInto('returns')
      .values([
        { ...typed, id: 't1', is_withdrawal: true },
        { ...typed, id: 't2', is_withdrawal: false, order_id: orderId },
        { ...typed, id: 't3', is_withdrawal: false, order_id: orderId, status: 'closed' },
      ])
      .execute()
    await shop.db
      .insertInto('product_imports')
      .values([
        { id: 'i1', file_name: 'prices.csv', state: 'importing', rows: 400, done: 100 },
        { id: 'i2', file_name: 'old.csv', state: 'done' },
        { id: 'i3', file_name: 'wrong.csv', state: 'checked', error_count: 1 },
      ])
      .execute()
    expect(await readToday()).toMatchObject({
      failedRefunds: 1,
      failedEmails: 1,
      imports: [{ id: 'i1', kind: 'products', fileName: 'prices.csv', state: 'importing', progress: 0.25 }],
      returns: 1,
      withdrawals: 1,
    })
  })
})

describe('GET /v1/scan', () => {
  test('finds an order by the code of its slip, its number or its id, in any state', async () => {
    const { id } = await aGuestOrder(shop)
    const found = [{ id, number: id.slice(0, 6), status: 'unpaid' }]
    for (const code of [id.slice(0, 16), id, id.slice(0, 6), `#${id.slice(0, 6).toUpperCase()}`])
      expect(await scan(code)).toEqual({ orders: found, variants: [] })
    for (const code of [id.slice(0, 5), `${id}0`, 'g'.repeat(16), 'none'])
      expect((await scan(code)).orders).toEqual([])
  })

  test('finds an item by GTIN in any length, or by part number in any spelling', async () => {
    const { variants } = someJacket
    const productId = await aProduct(shop, { ...someJacket, options: undefined })
    await shop.db.updateTable('variants').set({ shelf: 'J-1' }).where('sku', '=', 'J-M-BL').execute()
    const found = {
      productId,
      name: 'Touring jacket',
      size: 'M',
      colour: 'Blue',
      sku: 'J-M-BL',
      gtin: variants[0]?.gtin,
      shelf: 'J-1',
      stock: 8,
      reserved: 0,
    }
    for (const code of ['4006381333931', '04006381333931', 'j-m-bl', 'J M BL'])
      expect(await scan(code)).toMatchObject({ orders: [], variants: [found] })
    await shop.call('deleteProduct', { as: admin, query: { id: productId } })
    expect(await scan('4006381333931')).toEqual({ orders: [], variants: [] })
  })

  test('counts the pieces of orders that are not shipped as reserved, without cancelled and shipped ones', async () => {
    const productId = await aProduct(shop, { sku: 'BP-1', quantity: 20 })
    const read = async () => {
      const [variant] = (await scan('BP-1')).variants
      return [variant?.stock, variant?.reserved]
    }
    expect((await scan(productId)).variants).toMatchObject([{ variantId: productId }])
    const place = () => anOrder(shop, rider, { productId, quantity: 3 })
    const [unpaid, paid, shipped, partly] = [await place(), await place(), await place(), await place()]
    for (const id of [paid, shipped, partly]) await payOrder(shop, { as: rider }, id)
    expect(await read()).toEqual([8, 12])
    await shop.call('shipOrder', { as: admin, params: { id: shipped }, body: {} })
    const refund = {
      kind: 'cancellation',
      lines: [{ line: 1, pieces: 1, amount: 40, restock: 1 }],
      reason: 'One is missing',
    } as const
    const { status } = await shop.call('refundOrder', {
      as: admin,
      params: { id: partly },
      headers: { 'idempotency-key': randomUUID() },
      body: { ...refund, lines: [...refund.lines] },
    })
    expect(status).toBe(200)
    expect(await read()).toEqual([9, 8])
    await shop.call('cancelOrder', { as: rider, params: { id: unpaid } })
    expect(await read()).toEqual([12, 5])
  })
})

describe('POST /v1/receipts', () => {
  const receive = (body: Receipt, key: string = randomUUID(), as: TestCustomer = admin) =>
    shop.call('bookReceipt', { as, headers: { 'idempotency-key': key }, body })
  const stockOf = async (id: string) =>
    (await shop.db.selectFrom('variants').select('stock').where('id', '=', id).executeTakeFirstOrThrow())
      .stock

  test('adds a delivery as an import with its ledger, which can be undone', async () => {
    const [pads, chain] = [
      await aProduct(shop, { name: 'Pads', quantity: 2 }),
      await aProduct(shop, { name: 'Chain', quantity: 0 }),
    ]
    const lines = [
      { variantId: pads, quantity: 10 },
      { variantId: chain, quantity: 4 },
    ]
    const { status, body } = await receive({
      kind: 'delivery',
      supplier: 'Grauwerk',
      reference: '4711',
      lines,
    })
    expect([status, body]).toMatchObject([
      200,
      { source: 'scan', state: 'done', fileName: 'Goods in: Grauwerk, 4711', changed: 2, undoable: true },
    ])
    expect([await stockOf(pads), await stockOf(chain)]).toEqual([12, 4])
    const movements = await shop.db
      .selectFrom('stock_movements')
      .select(['variant_id', 'kind', 'quantity', 'moved_by'])
      .where('import_id', '=', body.id)
      .orderBy('quantity')
      .execute()
    expect(movements).toEqual([
      { variant_id: chain, kind: 'restock', quantity: 4, moved_by: admin.id },
      { variant_id: pads, kind: 'restock', quantity: 10, moved_by: admin.id },
    ])
    const report = (await shop.call('getImport', { as: admin, params: { id: body.id } })).body
    expect(report.changes[0]).toEqual({
      row: 1,
      name: 'Pads',
      before: { quantity: '2' },
      after: { quantity: '12' },
    })
    await anOrder(shop, rider, { productId: pads, quantity: 2 })
    await runImport(shop, admin, await checkUndo(shop, admin, report))
    expect([await stockOf(pads), await stockOf(chain)]).toEqual([0, 0])
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'imports' } })).body
    expect(entries.map(({ subject }) => subject.name)).toEqual([
      'Undo of Goods in: Grauwerk, 4711',
      'Goods in: Grauwerk, 4711',
    ])
    await expectConsistent(shop.db)
  })

  test('accepts five parallel requests with one key once, and refuses other items with it', async () => {
    const pads = await aProduct(shop, { quantity: 0 })
    const lines = [{ variantId: pads, quantity: 3 }]
    const key = randomUUID()
    const booked = await Promise.all(
      Array.from({ length: 5 }, () => receive({ kind: 'delivery', lines }, key)),
    )
    expect(new Set(booked.map(({ body }) => body.id)).size).toBe(1)
    expect(await stockOf(pads)).toBe(3)
    const other = await receive({ kind: 'delivery', lines: [{ variantId: pads, quantity: 4 }] }, key)
    expect([other.status, other.body]).toMatchObject([409, { code: 'IDEMPOTENCY_KEY_REUSED' }])
    await expectConsistent(shop.db)
  })

  test('of a delivery note adds what has arrived, and replaces the checked file', async () => {
    const pads = await aProduct(shop, { name: 'Pads', sku: 'BP-1', gtin: '40170725', quantity: 2 })
    await aProduct(shop, { name: 'Chain', sku: 'CH-1', quantity: 0 })
    const upload = (rows: string) =>
      checkFile(shop, admin, `sku,quantity\n${rows}\n`, 'products', 'deliveries')
    const readNote = (id: string) => shop.call('getDeliveryNote', { as: admin, params: { id } })
    const { id } = await upload('BP-1,5\nCH-1,x\nbp1,3\nX-1,9')
    expect((await readNote(id)).body).toEqual({
      fileName: 'products.csv',
      lines: [{ variantId: pads, name: 'Pads', sku: 'BP-1', gtin: '40170725', quantity: 8 }],
    })
    const delivery: Receipt = {
      kind: 'delivery',
      deliveryNote: id,
      lines: [{ variantId: pads, quantity: 7 }],
    }
    const counted = [{ variantId: pads, quantity: 7, expected: 2 }]
    expect(await receive({ ...delivery, kind: 'count', lines: counted })).toMatchObject({
      status: 400,
      body: { fields: { deliveryNote: expect.any(String) } },
    })
    const key = randomUUID()
    const booked = await Promise.all([receive(delivery, key), receive(delivery, key), receive(delivery)])
    expect(booked.filter(({ status }) => status === 200)).not.toHaveLength(3)
    expect(booked.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      body: { code: 'IMPORT_NOT_READY' },
    })
    expect(await stockOf(pads)).toBe(9)
    expect((await shop.call('runImport', { as: admin, params: { id } })).status).toBe(404)
    expect(await readNote(id)).toMatchObject(refused('NOT_FOUND'))
    const counts = await checkFile(shop, admin, 'sku,quantity\nBP-1,5\n', 'products', 'counts')
    expect(await readNote(counts.id)).toMatchObject(refused('IMPORT_NOT_READY'))

    const imported = await runImport(shop, admin, await upload('BP-1,1'))
    expect(await readNote(imported.id)).toMatchObject(refused('IMPORT_NOT_READY'))
    expect(await receive({ ...delivery, deliveryNote: imported.id })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('This delivery note was booked or imported already.') },
    })
    expect(await stockOf(pads)).toBe(10)
    await expectConsistent(shop.db)
  })

  test('a delivery note of more items than a receipt can have is refused', async () => {
    const ids = Array.from({ length: 2001 }, (_, index) => String(index + 1).padStart(24, '0'))
    await sql`
      with added as (
        insert into products (id, name, price_cents, stock, minimum_quantity, description, image, options)
        select id, id, 100, 0, 1, '', '/pictures/chain.svg', 'none' from unnest(${ids}::text[]) as id returning id
      )
      insert into variants (id, product_id, position, stock) select id, id, 1, 0 from added`.execute(shop.db)
    const { id } = await checkFile(
      shop,
      admin,
      `id,quantity\n${ids.map((each) => `${each},1`).join('\n')}\n`,
      'products',
      'deliveries',
    )
    const note = await shop.call('getDeliveryNote', { as: admin, params: { id } })
    expect(note).toMatchObject(refused('DELIVERY_TOO_LARGE'))
  })

  test('a count adds the difference to what was expected, so that orders during the count stay', async () => {
    const pads = await aProduct(shop, { sku: 'BP-1', quantity: 10 })
    const early = await anOrder(shop, rider, { productId: pads, quantity: 3 })
    const [scanned] = (await scan('BP-1')).variants
    const expected = (scanned?.stock ?? 0) + (scanned?.reserved ?? 0)
    expect(expected).toBe(10)
    await anOrder(shop, rider, { productId: pads, quantity: 2 })
    await payOrder(shop, { as: rider }, early)
    await shop.call('shipOrder', { as: admin, params: { id: early }, body: {} })
    const same = await receive({ kind: 'count', lines: [{ variantId: pads, quantity: 10, expected }] })
    expect(same.body).toMatchObject({ fileName: 'Stocktake', changed: 0, unchanged: 1, undoable: false })
    expect(await stockOf(pads)).toBe(5)
    await receive({ kind: 'count', lines: [{ variantId: pads, quantity: 9, expected }] })
    expect(await stockOf(pads)).toBe(4)
    await expectConsistent(shop.db)
  })

  test('accepts all lines or none, and names those that it refuses', async () => {
    const [pads, chain] = [await aProduct(shop, { quantity: 2 }), await aProduct(shop, { quantity: 2 })]
    await shop.call('deleteProduct', { as: admin, query: { id: chain } })
    const good = { variantId: pads, quantity: 1 }
    const key = randomUUID()
    const lines = [good, { variantId: chain, quantity: 1 }, { variantId: 'none', quantity: 1 }]
    const unknown = await receive({ kind: 'delivery', lines }, key)
    expect([unknown.status, unknown.body]).toMatchObject([
      404,
      { code: 'VARIANT_NOT_FOUND', lines: [{ variantId: chain }, { variantId: 'none' }] },
    ])
    const below = await receive({ kind: 'count', lines: [{ ...good, expected: 4 }] }, key)
    expect([below.status, below.body]).toMatchObject([
      409,
      { code: 'STOCK_BELOW_ZERO', lines: [{ variantId: pads, stock: 2 }] },
    ])
    for (const [kind, wrong, path] of [
      ['delivery', [good, good], 'lines.1.variantId'],
      ['delivery', [{ ...good, quantity: 0 }], 'lines.0.quantity'],
      ['count', [good], 'lines.0.expected'],
    ] as const) {
      const { status, body } = await receive({ kind, lines: [...wrong] }, key)
      expect([status, body]).toMatchObject([400, { fields: { [path]: expect.any(String) } }])
    }
    expect(await stockOf(pads)).toBe(2)
    // A refused request does not use up its key.
    expect((await receive({ kind: 'delivery', lines: [good] }, key)).status).toBe(200)
  })
})
