import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sandboxKeys } from '../server/compose-payments.ts'
import { createAccessTokens } from '../server/modules/identity/access-token.ts'
import { type Caller, toCaller } from './call.ts'
import { confirmCard } from './confirm-card.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { aCustomer, anAdmin, anOrder, type TestCustomer } from './factories.ts'
import { sentEmails } from './mailbox.ts'
import { openShopProcesses, type ShopProcess, type ShopProcesses } from './shop-process.ts'

const secret = randomBytes(32).toString('hex')
const accessTokens = createAccessTokens({ secrets: [secret] })

let database: TestDatabase
let shops: ShopProcesses
/** Two processes on one database, by the name of their connections. */
const running = new Map<string, ShopProcess & Caller>()
let rider: TestCustomer
let admin: TestCustomer

beforeAll(async () => {
  database = await openTestDatabase()
  shops = openShopProcesses()
  rider = await aCustomer({ db: database.db, accessTokens })
  admin = await anAdmin({ db: database.db, accessTokens })
})
beforeEach(startMissing)
afterAll(async () => {
  await shops.remove()
  await database.close()
})

/** Starts the processes that do not run. */
async function startMissing(): Promise<void> {
  await Promise.all(['one', 'other'].filter((name) => !running.has(name)).map(start))
}

/** Starts a demo shop, which has a mailbox. */
async function start(name: string): Promise<void> {
  const url = new URL(database.url)
  url.searchParams.set('application_name', name)
  const shop = await shops.open({
    DATABASE_URL: url.href,
    SHOP_SECRET: secret,
    LOG_LEVEL: 'error',
    SHIPPING_UNDO_SECONDS: '0',
  })
  running.set(name, { ...shop, ...toCaller(shop.origin) })
}

const pick = (name: string) => {
  const shop = running.get(name)
  if (!shop) throw new Error(`${name} does not run`)
  return shop
}

/**
 * Blocks `event` of the outbox, and kills the first process that reaches it.
 *
 * @returns the other process
 */
async function killAt(event: 'insert' | 'delete', change: () => Promise<unknown>) {
  await startMissing()
  const { pool } = database
  await pool.query(`
    create function wait() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(7); return coalesce(new, old); end $$;
    create trigger wait before ${event} on mail_outbox for each row execute function wait()`)
  const gate = await pool.connect()
  await gate.query('select pg_advisory_lock(7)')
  const changed = change().catch(() => undefined)
  const victim = await vi.waitUntil(
    async () =>
      (
        await sql<{ name: string }>`
          select application_name as name from pg_locks join pg_stat_activity using (pid)
          where datname = current_database() and locktype = 'advisory' and objid = 7 and not granted`.execute(
          database.db,
        )
      ).rows[0]?.name,
    { timeout: 60_000 },
  )
  await pick(victim).child.kill()
  running.delete(victim)
  // Postgres would finish the blocked statement before it notices that the client has died.
  await pool.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    victim,
  ])
  await gate.query('select pg_advisory_unlock(7)')
  gate.release()
  await changed
  await pool.query('drop trigger wait on mail_outbox; drop function wait')
  return pick(victim === 'one' ? 'other' : 'one')
}

const order = (shop: Caller) => anOrder({ ...shop, db: database.db, accessTokens }, rider)

/** Pays an order with a card, and reports it to this process; the webhook may reach the other one. */
async function pay(shop: ShopProcess & Caller, orderId: string) {
  const { body } = await shop.call('createPaymentIntent', { as: rider, body: { amount: 40, orderId } })
  const { publishableKey } = sandboxKeys(secret)
  const { intentId } = await confirmCard(
    `${shop.origin}/sandbox/payments`,
    publishableKey,
    body.client_secret,
  )
  return report(shop, orderId, intentId)
}

const report = (shop: Caller, id: string, transactionId: string) =>
  shop.call('payOrder', { as: rider, params: { id }, body: { transactionId } })

const ship = (shop: Caller, id: string) =>
  shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })

const cancel = (shop: Caller, id: string) => shop.call('deleteOrder', { as: rider, query: { id } })

/** Subjects of the emails about an order. */
async function subjectsAbout(id: string): Promise<string[]> {
  const emails = await sentEmails(database.db, rider.email)
  return emails.map(({ subject }) => subject).filter((subject) => subject.includes(`#${id.slice(0, 6)} `))
}

const findTransaction = async (id: string) => {
  const row = database.db.selectFrom('payments').select('intent_id').where('order_id', '=', id)
  return (await row.executeTakeFirstOrThrow()).intent_id
}

test('a process that is killed while it changes an order leaves neither the change nor its email', async () => {
  const id = await order(pick('one'))
  const title = `Order #${id.slice(0, 6)}`
  const afterPayment = await killAt('insert', () => pay(pick('one'), id))
  expect((await report(afterPayment, id, await findTransaction(id))).status).toBe(200)
  expect(await subjectsAbout(id)).toEqual([`${title} received`])

  const afterShipping = await killAt('insert', () => ship(pick('other'), id))
  expect((await ship(afterShipping, id)).body.modifiedCount).toBe(1)
  expect(await subjectsAbout(id)).toEqual([`${title} received`, `${title} has shipped`])

  const cancelledId = await order(afterShipping)
  const afterCancelling = await killAt('insert', () => cancel(pick('one'), cancelledId))
  expect((await cancel(afterCancelling, cancelledId)).body.deletedCount).toBe(1)
  expect(await subjectsAbout(cancelledId)).toEqual([`Order #${cancelledId.slice(0, 6)} was cancelled`])
})

test('an email whose process is killed after it was sent is sent again, and the mailbox has it once', async () => {
  const id = await order(pick('one'))
  const survivor = await killAt('delete', () => pay(pick('one'), id))
  const outbox = database.db.updateTable('mail_outbox').set({ next_attempt_at: new Date(0) })
  expect((await outbox.executeTakeFirst()).numUpdatedRows).toBe(1n)
  // Another email wakes the sender.
  expect((await ship(survivor, id)).body.modifiedCount).toBe(1)
  const title = `Order #${id.slice(0, 6)}`
  expect(await subjectsAbout(id)).toEqual([`${title} received`, `${title} has shipped`])
})
