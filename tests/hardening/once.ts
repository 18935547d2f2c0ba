import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import type { Database } from '../../db/schema.ts'
import { settleIntent } from '../../server/modules/payments/service.ts'
import { ProviderUnavailable } from '../../server/modules/payments/stripe.ts'
import { aCustomer, anOrder, aProduct } from '../factories.ts'
import { type HttpProxy, openHttpProxy } from '../proxy.ts'
import type { Check, Figure } from './check.ts'
import { cleanup } from './cleanup.ts'
import { openEmailsUnderTest } from './emails.ts'
import { openPaymentDeps } from './money.ts'
import { inLanes } from './parallel.ts'
import { openProviderUnderTest } from './provider-under-test.ts'
import { openProcess, openShopUnderTest, type Process, untilTrue } from './shop-under-test.ts'

const sizes = {
  small: { each: 25, kills: 1, measuresTakeover: false },
  full: { each: 200, kills: 5, measuresTakeover: true },
}
const workers = 4
const connections = 8
const price = 40
/** Duration of a call to the provider, so that processes are killed during one. */
const callMs = 20
/** Longer than any pause between two items of a job. */
const idleMs = 1_000
const maxRounds = 60
const maxCallRatio = 1.1
/** A worker sends this many emails at the same time. */
const emailsInProgress = 5
const takeoverMs = 60_000

/**
 * Four workers share the work that one worker would do: open payments, due orders, refunds and emails. All are killed
 * during the work, and started again when a minute has passed on the database clock.
 */
export const once: Check = {
  name: 'once',
  isChosenOnly: true,
  async run(size, print) {
    const { each, kills, measuresTakeover } = sizes[size]
    const provider = await openProviderUnderTest()
    const emails = await openEmailsUnderTest()
    const settings = {
      ...provider.settings,
      ...emails.settings,
      SHOP_SECRET: randomBytes(32).toString('hex'),
    }
    const shop = await openShopUnderTest({ settings: { ...settings, ROLE: 'web' }, isSettled: true })
    const { db, databaseUrl } = shop
    const [web] = shop.processes
    const gateway = await provider.open(shop, () => undefined)
    const links: HttpProxy[] = []
    for (let count = 0; count < workers; count++) {
      const link = await openHttpProxy(provider.proxy.targets)
      cleanup.add(link.close)
      links.push(link)
    }
    const setCallMs = (lateByMs: number) => {
      for (const link of links) link.fate = () => ({ kind: 'pass', lateByMs })
    }
    const countCalls = () => links.reduce((sum, { counts }) => sum + counts.late, 0)

    function startWorkers(count: number): Promise<Process[]> {
      return Promise.all(
        links
          .slice(0, count)
          .map(({ url }) =>
            openProcess({ ...settings, ROLE: 'worker', DATABASE_URL: databaseUrl, STRIPE_API_URL: url }),
          ),
      )
    }

    const buyer = await aCustomer(shop)
    const productId = await aProduct(shop, { price, quantity: 100_000 })
    const placeOrder = () => anOrder({ ...shop, call: web.call }, buyer, { productId, price })
    /** Returns the ids of new orders. */
    async function makeOrders(finish: (orderId: string) => Promise<unknown>): Promise<string[]> {
      const ids: string[] = []
      await inLanes(Array(each).keys(), connections, async () => {
        const id = await placeOrder()
        await finish(id)
        ids.push(id)
      })
      return ids
    }
    const openPayment = (orderId: string) =>
      web.call('createPaymentIntent', { as: buyer, body: { orderId, amount: price } })
    const cancel = (id: string) => web.call('deleteOrder', { as: buyer, query: { id } })

    /** Makes work for the jobs. Returns the orders that stay unpaid. */
    async function makeWork(): Promise<string[]> {
      const open = await makeOrders(openPayment)
      const due = await makeOrders(openPayment)
      // Their money has to be refunded, and their emails are queued.
      const cancelled = await makeOrders(async (id) => {
        await cancel(id)
        await provider.payAtDesk(id, price * 100)
      })
      const failing = {
        ...gateway,
        refund: () => Promise.reject(new ProviderUnavailable(new Error('not yet'))),
      }
      const deps = openPaymentDeps(shop, failing, pino({ level: 'silent' }))
      const { rows: unknown } = await sql<{ id: string }>`
        select id from sandbox.payment_intents where metadata ->> 'orderId' = any(${cancelled})
          and status = 'succeeded'`.execute(db)
      await inLanes(unknown, connections, ({ id }) => settleIntent(deps, id).then(noop, noop))
      await sql`
        with earlier as (
          update orders set placed_at = placed_at - interval '1 year' where id = any(${due}) returning id, placed_at
        )
        update order_documents as document set placed_at = earlier.placed_at
        from earlier where document.order_id = earlier.id`.execute(db)
      await sql`update payments set checked_at = now() - interval '1 hour' where status = 'open'`.execute(db)
      await passMinute(db)
      return open
    }

    /** Runs the jobs until their work is done. Returns the number of calls to the provider. */
    async function doWork(count: number): Promise<number> {
      const callsBefore = countCalls()
      for (let round = 0; round < maxRounds; round++) {
        const started = await startWorkers(count)
        const callsAtStart = countCalls()
        const isKilled = async () =>
          (round < kills && countCalls() - callsAtStart > each) || (await isIdle(db, countCalls))
        await untilTrue(isKilled, takeoverMs, 'doing the work')
        await Promise.all(started.map((process) => process.kill()))
        await passMinute(db)
        if (round >= kills && (await countWork(db)) === 0) return countCalls() - callsBefore
      }
      throw new Error(`the work is not done after ${maxRounds} rounds`)
    }

    setCallMs(callMs)
    const open = await makeWork()
    const callsOfOne = await doWork(1)
    print(`one worker has called the provider ${callsOfOne} times`)
    await inLanes(open, connections, async (id) => void (await cancel(id)))
    await makeWork()
    const calls = await doWork(workers)
    print(`${workers} workers have called the provider ${calls} times`)
    const takeover = measuresTakeover ? await measureTakeover() : null

    /**
     * Kills the worker that is reading a payment at the provider. Returns the milliseconds until another one reads
     * it.
     */
    async function measureTakeover(): Promise<number> {
      setCallMs(takeoverMs)
      await sql`update payments set checked_at = now() - interval '1 hour' where status = 'open'`.execute(db)
      const before = links.map(({ counts }) => counts.late)
      const started = await startWorkers(workers)
      const findAsking = () => links.findIndex(({ counts }, index) => counts.late > (before[index] ?? 0))
      await untilTrue(async () => findAsking() >= 0, takeoverMs, 'asking the provider')
      const asking = findAsking()
      await started[asking]?.kill()
      const began = performance.now()
      setCallMs(callMs)
      const isTakenOver = async () =>
        links.some(({ counts }, index) => index !== asking && counts.late > (before[index] ?? 0))
      await untilTrue(isTakenOver, 2 * takeoverMs, 'continuing the work of a killed worker')
      const ms = performance.now() - began
      await Promise.all(started.map((process) => process.kill()))
      return ms
    }

    const sent = await emails.check(db)
    const ratio = calls / callsOfOne
    const maxRepeated = emailsInProgress * (workers + 1) * kills
    return {
      figures: [
        { what: 'payments to check, orders to cancel, refunds and emails', measured: `${each} of each` },
        { what: 'workers, kills of all of them', measured: `${workers}, ${kills}` },
        { what: 'calls to the provider by one worker', measured: `${callsOfOne}` },
        {
          what: `calls by ${workers} workers, divided by that`,
          measured: ratio.toFixed(2),
          bound: `${maxCallRatio}`,
        },
        { ...sent.figure, bound: `–, ${maxRepeated}` },
        ...formatTakeover(takeover),
      ],
      violations: [
        ...(ratio > maxCallRatio
          ? [`${workers} workers called the provider ${ratio.toFixed(2)} times as often`]
          : []),
        ...(sent.repeated > maxRepeated ? [`${sent.repeated} emails were sent again`] : []),
        ...(takeover !== null && takeover > takeoverMs
          ? [`the work of a killed worker continued after ${Math.round(takeover)} ms`]
          : []),
        ...sent.violations,
        ...(await findRepeated(db)),
      ],
    }
  },
}

const noop = () => undefined

/** Moves all claims and due times a minute back. Payments that were checked are not checked again. */
async function passMinute(db: Kysely<Database>): Promise<void> {
  await sql`update jobs set due_at = due_at - interval '1 minute'`.execute(db)
  await sql`update orders set expiry_checked_at = expiry_checked_at - interval '1 minute'
    where status = 'unpaid'`.execute(db)
  await sql`update refunds set next_attempt_at = next_attempt_at - interval '1 minute'
    where next_attempt_at is not null`.execute(db)
  await sql`update mail_outbox set next_attempt_at = next_attempt_at - interval '1 minute'`.execute(db)
  await sql`update payments set checked_at = now() + interval '1 hour'
    where status = 'open' and checked_at > now() - interval '30 minutes'`.execute(db)
}

/** Counts what the jobs still have to do. */
async function countWork(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from orders where status = 'unpaid' and placed_at < now() - interval '30 days')
      + (select count(*) from payments where status = 'open' and checked_at < now() - interval '30 minutes')
      + (select count(*) from refunds where status <> 'succeeded')
      + (select count(*) from mail_outbox) as left`.execute(db)
  return rows[0]?.left ?? 0
}

/** Returns whether nothing happens for a while. */
async function isIdle(db: Kysely<Database>, countCalls: () => number): Promise<boolean> {
  const count = async () => `${countCalls()} ${await countWork(db)}`
  const before = await count()
  await delay(idleMs)
  return before === (await count())
}

async function findRepeated(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ what: string; times: number }>`
    select kind as what, count(*) as times from order_events
      where kind in ('expired', 'cancelled', 'refunded') group by order_id, kind having count(*) > 1
    union all select 'refund at the provider', count(*) from sandbox.refunds group by charge_id having count(*) > 1`.execute(
    db,
  )
  return rows.map(({ what, times }) => `${what}: ${times} times for one order`)
}

function formatTakeover(ms: number | null): Figure[] {
  if (ms === null) return []
  const measured = `${(ms / 1000).toFixed(1)} s`
  return [{ what: 'a killed worker: another one continues after', measured, bound: `${takeoverMs / 1000} s` }]
}
