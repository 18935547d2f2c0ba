import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { backUp, makeBackupFolder, restore } from '../../tests/backups.ts'
import { openTestDatabase, type TestDatabase } from '../../tests/database.ts'
import { aCustomer, anAdmin, anOrder, aProduct, payAtSandbox } from '../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../tests/shop.ts'
import { expectLedgerToAddUp, readStock } from '../../tests/stock.ts'
import { backupTables } from './backup-tables.ts'

const folder = makeBackupFolder()
let shop: TestShop
let copy: TestDatabase

beforeAll(async () => {
  shop = await openTestShop({ unpaidOrdersPerCustomer: 1_000_000 })
  copy = await openTestDatabase()
})
afterAll(async () => {
  await Promise.all([shop.close(), copy.close()])
  folder.remove()
})
beforeEach(() => Promise.all([shop.database.empty(), copy.empty()]))

test('a backup during purchases is one snapshot: the stock of each product adds up', async () => {
  const products = await Promise.all([1, 2, 3].map(() => aProduct(shop, { quantity: 100_000 })))
  const over = new AbortController()
  async function buyAndCancel(): Promise<void> {
    const buyer = await aCustomer(shop)
    for (let turn = 0; !over.signal.aborted; turn++) {
      const orderId = await anOrder(shop, buyer, { productId: products[turn % 3] ?? '' })
      if (turn % 2 === 0) await shop.call('deleteOrder', { as: buyer, query: { id: orderId } })
    }
  }
  const buyers = Promise.all(Array.from({ length: 8 }, buyAndCancel))
  const countOrders = async () => (await shop.db.selectFrom('orders').select('id').execute()).length
  // All buyers order by then.
  await expect.poll(countOrders).toBeGreaterThan(16)
  const file = folder.newFile()
  await backUp(shop.database, file)
  over.abort()
  await buyers
  await restore(copy, file, { replace: true })
  for (const product of products) await expectLedgerToAddUp({ db: copy.db }, product)
  const { rows: bare } = await copy.pool.query(
    `select id from orders where not exists (select from order_lines where order_id = orders.id)
       or not exists (select from order_events where order_id = orders.id)`,
  )
  expect(bare).toEqual([])
})

test('every excluded table exists, so that a renamed one is noticed', async () => {
  const { rows } = await copy.pool.query<{ name: string }>(
    'select schemaname || $1 || tablename as name from pg_tables where schemaname = any($2)',
    ['.', backupTables.schemas],
  )
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...backupTables.excludedTables]))
})

test('a running shop shows the restored data immediately, and works', async () => {
  const admin = await anAdmin(shop)
  const productId = await aProduct(shop, { name: 'As it was', quantity: 5 })
  const file = folder.newFile()
  await backUp(shop.database, file)
  await shop.call('updateProduct', { as: admin, params: { id: productId }, body: { quantity: 9 } })
  const later = await aProduct(shop)
  await restore(shop.database, file, { replace: true })
  expect(await readStock(shop, productId)).toBe(5)
  expect((await shop.call('getProduct', { params: { id: later } })).status).toBe(404)
  const buyer = await aCustomer(shop)
  const orderId = await anOrder(shop, buyer, { productId })
  const { body } = await shop.call('createPaymentIntent', { as: buyer, body: { orderId, amount: 40 } })
  const { intentId } = await payAtSandbox(shop, body.client_secret)
  const paid = await shop.call('payOrder', {
    as: buyer,
    params: { id: orderId },
    body: { transactionId: intentId },
  })
  expect(paid.status).toBe(200)
})

test('a read during a restore waits and returns the old or the new data', async () => {
  const productId = await aProduct(shop, { quantity: 5 })
  const file = folder.newFile()
  await backUp(shop.database, file)
  await shop.db.updateTable('variants').set({ stock: 6 }).execute()
  const seen = new Set<number | undefined>()
  const over = new AbortController()
  async function read(): Promise<void> {
    while (!over.signal.aborted) {
      const { status, body } = await shop.call('getProduct', { params: { id: productId } })
      seen.add(status === 200 ? body.quantity : status)
    }
  }
  const readers = Promise.all([read(), read(), read()])
  await restore(shop.database, file, { replace: true })
  over.abort()
  await readers
  expect([...seen].filter((quantity) => quantity !== 5 && quantity !== 6)).toEqual([])
  expect(await readStock(shop, productId)).toBe(5)
})

test('all tokens are revoked after a restore, even one revoked since the backup', async () => {
  const rider = await aCustomer(shop)
  const admin = await anAdmin(shop)
  const file = folder.newFile()
  await backUp(shop.database, file)
  await shop.call('signOut', { as: rider })
  await restore(shop.database, file, { replace: true })
  const statusFor = async (as: typeof rider) =>
    (await shop.call('getUser', { as, query: { email: as.email } })).status
  expect(await statusFor(rider)).toBe(401)
  expect(await statusFor(admin)).toBe(401)
})

test('an open transaction can finish before the restore, in any lock order', async () => {
  const productId = await aProduct(shop, { quantity: 5 })
  const file = folder.newFile()
  await backUp(shop.database, file)
  let restoring: Promise<unknown> = Promise.resolve()
  await shop.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('variants').set({ stock: 4 }).where('id', '=', productId).execute()
    restoring = restore(shop.database, file, { replace: true })
    await expect.poll(() => countWaiting(shop)).toBeGreaterThan(0)
    await transaction.selectFrom('customers').selectAll().execute()
    await transaction.selectFrom('reviews').selectAll().execute()
  })
  await restoring
  expect(await readStock(shop, productId)).toBe(5)
})

/** Returns the number of sessions that wait for a table lock. */
async function countWaiting({ database }: TestShop): Promise<number> {
  const { rows } = await database.pool.query(
    `select count(*)::int as count from pg_locks where not granted and locktype = 'relation'
       and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows[0].count
}
