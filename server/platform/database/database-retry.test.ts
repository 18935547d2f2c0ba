import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { waitUntilBlocking } from '../../../tests/database.ts'
import { aCustomer, anOrder, aProduct, type TestCustomer } from '../../../tests/factories.ts'
import { openOwnShop, type TestShop } from '../../../tests/shop.ts'
import { expectLedgerToAddUp, readStock } from '../../../tests/stock.ts'
import { hasCode } from '../errors.ts'
import { inTransaction, retryTransient } from './database.ts'

let shop: TestShop
let rider: TestCustomer

beforeAll(async () => {
  shop = await openOwnShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  rider = await aCustomer(shop)
})

/** Returns the number of deadlocks that Postgres has counted in this database. */
async function deadlocks(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(shop.database.db)
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(shop.database.db)
  return rows[0]?.deadlocks ?? 0
}

/**
 * Deletes an order while a transaction of the test locks its product in the other direction. Postgres ends the
 * transaction that waits for a second at the wrong moment. Returns undefined if it ends the test's transaction: the
 * deletion has waited too long by then, so the order still has its pieces.
 */
async function deleteInDeadlock() {
  const productId = await aProduct(shop, { quantity: 5 })
  const orderId = await anOrder(shop, rider, { productId, quantity: 2 })
  let deletion: ReturnType<typeof shop.call<'deleteOrder'>> | undefined
  const isBroken = await shop.database.db
    .transaction()
    .execute(async (tx) => {
      // This transaction locks the product first, the shop locks the order first: a deadlock.
      const { rows } = await sql<{ pid: number }>`
        select pg_backend_pid() as pid from products where id = ${productId} for update`.execute(tx)
      deletion = shop.call('deleteOrder', { as: rider, query: { id: orderId } })
      await waitUntilBlocking(shop.database, rows[0]?.pid)
      await sql`select from orders where id = ${orderId} for update`.execute(tx)
    })
    .then(
      () => false,
      (error: unknown) => {
        if (hasCode(error, '40P01')) return true
        throw error
      },
    )
  const response = await deletion
  return isBroken ? undefined : { productId, response }
}

test('DELETE /delete-order succeeds once after a deadlock', async () => {
  const before = await deadlocks()
  let attempts = 1
  let deleted = await deleteInDeadlock()
  for (; !deleted; attempts++) deleted = await deleteInDeadlock()
  const { productId, response } = deleted
  expect(response).toMatchObject({ status: 200, body: { deletedCount: 1 } })
  // More, if the deletion was repeated before the transaction of the test had its lock.
  await expect.poll(deadlocks).toBeGreaterThanOrEqual(before + attempts)
  expect(await readStock(shop, productId)).toBe(5)
  await expectLedgerToAddUp(shop, productId)
})

/** Creates work that fails this many times with a Postgres code, then returns the number of attempts. */
function failing(times: number, code: string) {
  let attempts = 0
  return async () => {
    attempts += 1
    if (attempts <= times)
      await sql`do ${sql.raw(`$$ begin raise exception using errcode = '${code}'; end $$`)}`.execute(shop.db)
    return attempts
  }
}

test.each(['40P01', '40001', '26000', '42P05'])(
  'a transient error (%s) is tried four times',
  async (code) => {
    expect(await retryTransient(shop.db, failing(3, code))).toBe(4)
    await expect(retryTransient(shop.db, failing(4, code))).rejects.toMatchObject({ code })
  },
)

test.each(['57P01', '23505', '55P03', '57014', '40003', '0A000'])(
  'another error (%s) is not retried',
  async (code) => {
    await expect(retryTransient(shop.db, failing(1, code))).rejects.toMatchObject({ code })
  },
)

test('nothing is retried inside a transaction, because all of it is rolled back', async () => {
  const inside = shop.db.transaction().execute((tx) => retryTransient(tx, failing(1, '40001')))
  await expect(inside).rejects.toMatchObject({ code: '40001' })
})

test('a transaction is retried from its start, so its writes exist once', async () => {
  const fail = failing(1, '40001')
  const id = await inTransaction(shop.db, async (tx) => {
    const id = await aProduct({ db: tx })
    await fail()
    return id
  })
  expect(await shop.db.selectFrom('products').select('id').execute()).toEqual([{ id }])
})
