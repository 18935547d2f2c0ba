import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sandboxKeys } from '../server/compose-payments.ts'
import { createAccessTokens } from '../server/modules/identity/access-token.ts'
import { type Caller, toCaller } from './call.ts'
import { confirmCard } from './confirm-card.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { aCustomer, anAdmin, anOrder, type TestCustomer } from './factories.ts'
import { sentEmails } from './mailbox.ts'
import { openShopProcesses, type ShopProcess, type ShopProcesses, testSecret } from './shop-process.ts'

type RunningShop = ShopProcess & Caller

const accessTokens = createAccessTokens({ secrets: [testSecret] })

let database: TestDatabase
let shops: ShopProcesses
let rider: TestCustomer
let admin: TestCustomer

beforeAll(async () => {
  database = await openTestDatabase()
  shops = openShopProcesses()
  rider = await aCustomer({ db: database.db, accessTokens })
  admin = await anAdmin({ db: database.db, accessTokens })
})
afterAll(async () => {
  await shops.remove()
  await database.close()
})

/** Starts a demo shop, which has a mailbox. Its database connections have this name. */
async function start(name: string): Promise<RunningShop> {
  const url = new URL(database.url)
  url.searchParams.set('application_name', name)
  const shop = await shops.open({
    DATABASE_URL: url.href,
    LOG_LEVEL: 'error',
    SHIPPING_UNDO_SECONDS: '0',
  })
  return { ...shop, ...toCaller(shop.origin) }
}

/** Returns the name of the shop that waits for the advisory lock. */
async function findBlocked(): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select application_name as name from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and locktype = 'advisory' and objid = 7 and not granted`.execute(
    database.db,
  )
  return rows[0]?.name
}

/** Pays an order with a card, and reports it to this shop. The webhook may reach the other one. */
async function pay(shop: RunningShop, id: string): Promise<void> {
  const { body } = await shop.call('createPaymentIntent', { as: rider, body: { amount: 40, orderId: id } })
  const { publishableKey } = sandboxKeys(testSecret)
  const { intentId } = await confirmCard(
    `${shop.origin}/sandbox/payments`,
    publishableKey,
    body.client_secret,
  )
  await shop.call('payOrder', { as: rider, params: { id }, body: { transactionId: intentId } })
}

test('an email whose process is killed after it was sent is sent again, and the mailbox has it once', async () => {
  const { pool } = database
  const [one, other] = await Promise.all([start('one'), start('other')])
  const id = await anOrder({ ...one, db: database.db, accessTokens }, rider)
  await pool.query(`
    create function wait() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(7); return old; end $$;
    create trigger wait before delete on mail_outbox for each row execute function wait()`)
  const gate = await pool.connect()
  await gate.query('select pg_advisory_lock(7)')
  const paid = pay(one, id).catch(() => undefined)
  const victim = await vi.waitUntil(findBlocked, { timeout: 60_000 })
  const [killed, survivor] = victim === 'one' ? [one, other] : [other, one]
  await killed.child.kill()
  // Postgres would finish the blocked statement before it notices that the client has died.
  await pool.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    victim,
  ])
  await gate.query('select pg_advisory_unlock(7)')
  gate.release()
  await paid
  await pool.query('drop trigger wait on mail_outbox; drop function wait')

  const outbox = database.db.updateTable('mail_outbox').set({ next_attempt_at: new Date(0) })
  expect((await outbox.executeTakeFirst()).numUpdatedRows).toBe(1n)
  // Another email wakes the sender.
  const body = { shipping: 'Shipped' } as const
  const shipped = await survivor.call('updateShipping', { as: admin, params: { id }, body })
  expect(shipped.body.modifiedCount).toBe(1)
  const title = `Order #${id.slice(0, 6)}`
  const emails = await sentEmails(database.db, rider.email)
  expect(emails.map(({ subject }) => subject)).toEqual([`${title} received`, `${title} has shipped`])
})
