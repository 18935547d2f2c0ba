import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { addDemoOrder } from '../../server/modules/orders/service.ts'
import { createLimiter } from '../../server/platform/limiter.ts'
import { aCustomer, anAdmin, aProduct, someAddress } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { emptyTally, openClient } from './client.ts'
import { countDeadlocks } from './consistency.ts'
import { type Random, randomFor } from './random.ts'
import { openShopUnderTest } from './shop-under-test.ts'

interface Plan {
  orders: number
  counts: number
  /** In which the orders are placed, and the counts begin. */
  sellingMs: number
}

const sizes: Record<Size, Plan> = {
  small: { orders: 60, counts: 30, sellingMs: 3_000 },
  full: { orders: 400, counts: 200, sellingMs: 20_000 },
}
const products = 5
const pieces = 200
/** The longest time from the first scan until the count is booked. */
const countingMs = 800

/**
 * Counts shelves while orders are placed, shipped and cancelled at two processes. The check knows the pieces on each shelf:
 * only shipments and losses change them.
 */
export const stocktake: Check = {
  name: 'stocktake',
  isChosenOnly: true,
  async run(size, print, seed) {
    const { orders, counts, sellingMs } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2 })
    const admin = await anAdmin(shop)
    const { id: customerId } = await aCustomer(shop)
    const tally = emptyTally()
    const shelves: Shelf[] = []
    for (let each = 0; each < products; each++) {
      const productId = await aProduct(shop, { sku: `P-${each}`, quantity: pieces, price: 20 })
      const limit = () =>
        createLimiter({ concurrency: 1, maxQueued: orders + counts, onOverflow: () => new Error() })
      shelves.push({ productId, sku: `P-${each}`, pieces, moving: limit(), counting: limit() })
    }
    const lost = { pieces: 0, refused: 0 }

    async function order(index: number): Promise<void> {
      const random = randomFor(seed, index + 1)
      const client = openClient(shop.processes, random, tally)
      const shelf = random.pick(shelves)
      const quantity = 1 + random.below(3)
      const isPaid = random.chance(0.7)
      await delay(random.below(sellingMs))
      const id = await placeOrder(shop.db, customerId, shelf.productId, quantity, isPaid)
      await delay(random.below(sellingMs / 4))
      if (isPaid && random.chance(0.7)) {
        await shelf.moving(async () => {
          const { status } = await client.insist('shipOrder', { as: admin, params: { id }, body: {} })
          // A lost response was repeated: then nothing is left to ship.
          if (status !== 200 && status !== 409) throw new Error(`the order ${id} was not shipped`)
          shelf.pieces -= quantity
        })
      } else if (!isPaid && random.chance(0.7)) {
        await client.insist('cancelOrder', { as: admin, params: { id } })
      }
    }

    async function count(index: number): Promise<void> {
      const random = randomFor(seed, 10_000 + index)
      const shelf = random.pick(shelves)
      await delay(random.below(sellingMs))
      await shelf.counting(() => countShelf(shelf, random))
    }

    async function countShelf(shelf: Shelf, random: Random): Promise<void> {
      const client = openClient(shop.processes, random, tally)
      const isLost = random.chance(0.3) ? 1 : 0
      const line = await shelf.moving(async () => {
        const { body } = await client.insist('scan', { as: admin, query: { code: shelf.sku } })
        const [found] = body.variants
        if (!found) throw new Error(`the item ${shelf.sku} was not found`)
        shelf.pieces -= isLost
        return { variantId: found.variantId, quantity: shelf.pieces, expected: found.stock + found.reserved }
      })
      await delay(random.below(countingMs))
      const { status } = await client.insist('bookReceipt', {
        as: admin,
        headers: { 'idempotency-key': randomUUID() },
        body: { kind: 'count', reference: shelf.sku, lines: [line] },
      })
      if (status === 200) lost.pieces += isLost
      else {
        // All pieces are ordered, so the missing one is found again.
        await shelf.moving(() => Promise.resolve((shelf.pieces += isLost)))
        lost.refused += 1
      }
    }

    print(`${orders} orders and ${counts} counts of ${products} items`)
    await Promise.all([
      ...Array.from({ length: orders }, (_, index) => order(index)),
      ...Array.from({ length: counts }, (_, index) => count(index)),
    ])

    const client = openClient(shop.processes, randomFor(seed, 0), tally)
    const violations: string[] = []
    for (const shelf of shelves) {
      const { body } = await client.insist('scan', { as: admin, query: { code: shelf.sku } })
      const { stock = 0, reserved = 0 } = body.variants[0] ?? {}
      if (stock + reserved !== shelf.pieces)
        violations.push(
          `${shelf.sku} has ${shelf.pieces} pieces, but ${stock} in stock and ${reserved} reserved`,
        )
    }
    const deadlocks = await countDeadlocks(shop.db)
    return {
      figures: [
        { what: 'orders, counts, missing pieces found', measured: `${orders}, ${counts}, ${lost.pieces}` },
        { what: 'counts refused because all pieces were ordered', measured: `${lost.refused}` },
        { what: 'responses lost, responses 503', measured: `${tally.lost.length}, ${tally.unavailable}` },
        { what: 'deadlocks', measured: `${deadlocks}`, bound: '0' },
      ],
      violations: [
        ...new Set(tally.faults),
        ...violations,
        ...(deadlocks > 0 ? [`Postgres has broken ${deadlocks} deadlocks`] : []),
      ],
    }
  },
}

interface Shelf {
  productId: string
  sku: string
  /** On the shelf, ordered ones too. */
  pieces: number
  /** One at a time: a shipment takes pieces from the shelf, or a count begins. */
  moving: <Result>(run: () => Promise<Result>) => Promise<Result>
  /** One at a time: two people who find the same piece missing would both subtract it. */
  counting: (run: () => Promise<void>) => Promise<void>
}

/** Places an order as the demo shop does, at the same time as others. Returns its id. */
async function placeOrder(
  db: Parameters<typeof addDemoOrder>[0],
  customerId: string,
  productId: string,
  quantity: number,
  isPaid: boolean,
): Promise<string> {
  const note = randomUUID()
  await addDemoOrder(db, {
    customer: { customerId, ip: null },
    address: someAddress,
    note,
    lines: [{ productId, quantity, unitPriceCents: 2000 }],
    status: isPaid ? 'paid' : 'unpaid',
    placedAt: new Date(),
  })
  const { id } = await db.selectFrom('orders').select('id').where('note', '=', note).executeTakeFirstOrThrow()
  return id
}
