import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { addDemoOrder } from '../../server/modules/orders/service.ts'
import { createLimiter } from '../../server/platform/limiter.ts'
import { aCustomer, anAdmin, aProduct, someAddress } from '../factories.ts'
import { openMailServer } from '../mail-server.ts'
import type { Check, Size } from './check.ts'
import { cleanup } from './cleanup.ts'
import { emptyTally, openClient } from './client.ts'
import { countDeadlocks } from './consistency.ts'
import { killAll, planKills } from './kills.ts'
import { openRandom, randomFor } from './random.ts'
import { openShopUnderTest, untilTrue } from './shop-under-test.ts'

interface Plan {
  orders: number
  /** In which the orders are shipped. */
  shippingMs: number
  undoSeconds: number
  /** The longest time from shipping until it is undone. */
  undoWithinMs: number
  kills: number
}

const sizes: Record<Size, Plan> = {
  small: { orders: 60, shippingMs: 3_000, undoSeconds: 2, undoWithinMs: 2_400, kills: 1 },
  full: { orders: 300, shippingMs: 20_000, undoSeconds: 10, undoWithinMs: 12_000, kills: 4 },
}
const connections = 12
/** So that a buyer has several emails in the queue at the same time. */
const ordersPerBuyer = 3
/** The mail server responds after this time, so that many emails are being sent when their shipment is undone. */
const mailMs = 300
const reason = 'It is still here.'

/**
 * Ships orders at two processes that both send emails, and undoes most of it, some of it while the email leaves. Processes
 * are killed in the meantime.
 */
export const shipUndo: Check = {
  name: 'ship undo',
  isChosenOnly: true,
  async run(size, print, seed) {
    const { orders, shippingMs, undoSeconds, undoWithinMs, kills } = sizes[size]
    const server = await openMailServer({
      onMailFrom: (_from, _session, done) => void setTimeout(done, mailMs),
    })
    cleanup.add(server.close)
    const shop = await openShopUnderTest({
      processes: 2,
      settings: {
        SMTP_URL: `smtp://127.0.0.1:${server.port}`,
        MAIL_FROM: 'shop@shop.test',
        SHIPPING_UNDO_SECONDS: String(undoSeconds),
      },
    })
    const { db } = shop
    const ids = await placeOrders(shop, orders)
    const admin = await anAdmin(shop)
    const tally = emptyTally()
    const refusedEarly: string[] = []
    const limit = createLimiter({
      concurrency: connections,
      maxQueued: orders,
      onOverflow: () => new Error(),
    })

    async function shipAndUndo(id: string, index: number): Promise<void> {
      const random = randomFor(seed, index + 1)
      const client = openClient(shop.processes, random, tally)
      const ship = () => limit(() => client.insist('shipOrder', { as: admin, params: { id }, body: {} }))
      await delay(random.below(shippingMs))
      await ship()
      // The response may be lost.
      const shipment = await findShipment(db, id)
      if (!shipment) throw new Error(`the order ${id} was not shipped`)
      if (random.chance(0.2)) return
      await delay(random.below(undoWithinMs))
      const undo = (body: object) =>
        limit(() => client.insist('setBackShipment', { as: admin, params: { id: shipment.id }, body }))
      const { status } = await undo({})
      const isEarly = Date.now() < shipment.shipped_at.getTime() + undoSeconds * 1000
      if (status === 409 && isEarly) refusedEarly.push(id)
      if (status === 409 && random.chance(0.7)) await undo({ reason })
      if (random.chance(0.3)) await ship()
    }

    print(`${orders} orders, shipped and set back after up to ${undoWithinMs / 1000} s`)
    const random = openRandom(seed)
    await Promise.all([
      killAll(shop, planKills(random, { shop: kills, postgres: 0 }), random, print),
      ...ids.map(shipAndUndo),
    ])
    // The lease of a killed process would last for up to three minutes.
    await sql`update mail_outbox set next_attempt_at = now()`.execute(db)
    const isSent = async () => (await sql`select from mail_outbox`.execute(db)).rows.length === 0
    await untilTrue(isSent, 120_000, 'sending the emails')

    const histories = await readHistories(db)
    const received = countEmails(server.received.map(({ source }) => source))
    const violations = histories.flatMap((history) => checkEmails(history, received))
    const count = (of: (history: History) => number) => histories.reduce((sum, each) => sum + of(each), 0)
    const deadlocks = await countDeadlocks(db)
    return {
      figures: [
        { what: 'orders, processes that send, kills', measured: `${orders}, 2, ${kills}` },
        {
          what: 'shipments undone silently, corrected by email, left',
          measured: [
            count(({ silent }) => silent),
            count(({ corrected }) => corrected),
            count(({ shipments }) => shipments),
          ].join(', '),
        },
        { what: 'undone within the time and refused', measured: `${refusedEarly.length}`, bound: '0' },
        { what: 'responses lost, responses 503', measured: `${tally.lost.length}, ${tally.unavailable}` },
        { what: 'deadlocks', measured: `${deadlocks}`, bound: '0' },
      ],
      violations: [
        ...new Set(tally.faults),
        ...refusedEarly.map((id) => `the shipment of ${id} could not be undone in time`),
        ...violations.slice(0, 10),
        ...(deadlocks > 0 ? [`Postgres has broken ${deadlocks} deadlocks`] : []),
      ],
    }
  },
}

/** Places paid orders of several buyers. Returns the ids. */
async function placeOrders(shop: Parameters<typeof aCustomer>[0], count: number): Promise<string[]> {
  const productId = await aProduct(shop, { quantity: count, price: 20 })
  for (let placed = 0; placed < count; ) {
    const { id } = await aCustomer(shop)
    for (let each = 0; each < ordersPerBuyer && placed < count; each++, placed++) {
      await addDemoOrder(shop.db, {
        customer: { customerId: id, ip: null },
        address: someAddress,
        note: '',
        lines: [{ productId, quantity: 1, unitPriceCents: 2000 }],
        status: 'paid',
        placedAt: new Date(Date.now() - 3_600_000),
      })
    }
  }
  const orders = await shop.db.selectFrom('orders').select('id').orderBy('id').execute()
  return orders.map(({ id }) => id)
}

const findShipment = (db: Kysely<Database>, orderId: string) =>
  db.selectFrom('shipments').select(['id', 'shipped_at']).where('order_id', '=', orderId).executeTakeFirst()

/** The shipments of an order, and those that were set back without and with a reason. */
interface History {
  number: string
  email: string
  shipments: number
  silent: number
  corrected: number
}

async function readHistories(db: Kysely<Database>): Promise<History[]> {
  const { rows } = await sql<History>`
    select left(o.id, 6) as number, customer_email as email,
      (select count(*)::integer from shipments s where s.order_id = o.id) as shipments,
      count(*) filter (where e.kind = 'unshipped' and reason is null)::integer as silent,
      count(*) filter (where e.kind = 'unshipped' and reason is not null)::integer as corrected
    from orders o join order_events e on e.order_id = o.id group by o.id`.execute(db)
  return rows
}

/** Counts the emails by recipient and subject. A repeated attempt has the same message id, so recipients drop it. */
function countEmails(sources: string[]): Map<string, number> {
  const ids = new Map<string, Set<string>>()
  for (const source of sources) {
    const read = (header: string) => new RegExp(`^${header}: (.*)\\r$`, 'm').exec(source)?.[1] ?? ''
    const email = `${read('To')}: ${read('Subject')}`
    ids.set(email, (ids.get(email) ?? new Set()).add(read('Message-ID')))
  }
  return new Map([...ids].map(([email, all]) => [email, all.size]))
}

/** Returns what is wrong with the emails about an order. */
function checkEmails(
  { number, email, shipments, corrected }: History,
  received: Map<string, number>,
): string[] {
  const about = `${email}: Order #${number}`
  const shipped = received.get(`${about} has shipped`) ?? 0
  const corrections = received.get(`${about} has not shipped yet`) ?? 0
  // The email about a corrected shipment may have been withdrawn while a process began to send it. A correction is left
  // out if the order has shipped again before it leaves.
  const isRight =
    shipped >= shipments &&
    shipped <= shipments + corrected &&
    corrections <= corrected &&
    (shipments > 0 || corrections === corrected)
  return isRight
    ? []
    : [
        `${about} has ${shipped} emails about ${shipments} shipments, and ${corrections} corrections of ${corrected}`,
      ]
}
