import { sql } from 'kysely'
import { aCustomer, aProduct, type TestCustomer } from '../factories.ts'
import type { Check } from './check.ts'
import { inLanes } from './parallel.ts'
import { readUncached } from './probes.ts'
import { openShopUnderTest, type Process } from './shop-under-test.ts'

/** The small size also runs on busy machines, which may have no time for the flood. */
const sizes = {
  small: { floodsEach: 100, accounts: 10, expected: [200, 429, 503] },
  full: { floodsEach: 2_000, accounts: 40, expected: [200, 429] },
}
const perDay = 5
/** Concurrent requests may exceed a limit by a few. */
const tolerated = 2
const connections = 48
/** The longest text of a review. */
const characters = 10_000
/** Maximum bytes of a list: 100 reviews of maximum length, and their other fields. */
const maxListBytes = 100 * (characters + 1_000)

/**
 * One account floods the shop with reviews, then several accounts of its network. In the meantime a buyer asks for the
 * price of a cart. Both processes share the limits.
 */
export const reviewFloods: Check = {
  name: 'reviews',
  async run(size, print) {
    const { floodsEach, accounts, expected } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2, settings: { TRUSTED_PROXIES: '1' } })
    const { db, processes } = shop
    const variantId = await aProduct(shop, { price: 40 })
    const buyer = await aCustomer(shop)

    /** Returns the number of stored reviews, and the statuses that the buyer got. */
    async function flood(network: string, authors: TestCustomer[]) {
      const before = await countReviews()
      const statuses = new Map<number, number>()
      const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const state = { isOver: false }
      const buying = buy(processes[0], buyer, variantId, state)
      await inLanes(Array(floodsEach).keys(), connections, async (number) => {
        const [as] = authors.slice(number % authors.length)
        const process = processes[number % 2] ?? processes[0]
        const { status } = await process.call('addReview', {
          as: as ?? buyer,
          headers: { 'x-forwarded-for': network },
          body: { review: `${number} ${'x'.repeat(characters - 10)}` },
        })
        count(status)
      })
      state.isOver = true
      const bought = await buying
      const stored = (await countReviews()) - before
      print(`${authors.length} accounts: ${stored} of ${floodsEach} reviews were stored`)
      return { stored, statuses, bought }
    }
    const countReviews = async () => {
      const { rows } = await sql<{ total: number }>`select count(*) as total from reviews`.execute(db)
      return rows[0]?.total ?? 0
    }

    const one = await flood('203.0.113.1', [await aCustomer(shop)])
    const many = await Promise.all(Array.from({ length: accounts }, () => aCustomer(shop)))
    const several = await flood('203.0.113.2', many)
    // Reviews of many days.
    await sql`insert into reviews (id, name, review)
      select 'r' || n, 'Robin', ${'y'.repeat(characters)} from generate_series(1, 150) n`.execute(db)
    const list = await readUncached(processes[0].origin)
    const listBytes = (await list.arrayBuffer()).byteLength
    const floods = { 'one account': one, 'several accounts of a network': several }
    return {
      figures: [
        ...Object.entries(floods).map(([who, { stored }]) => ({
          what: `reviews of ${who}, of ${floodsEach} at ${connections} connections`,
          measured: `${stored}`,
          bound: `${perDay + tolerated}`,
        })),
        { what: 'bytes of the list', measured: `${listBytes}`, bound: `${maxListBytes}` },
        {
          what: 'calls of a buyer meanwhile, refused',
          measured: `${one.bought.length + several.bought.length}, ${countRefused(one.bought) + countRefused(several.bought)}`,
          bound: '–, 0',
        },
      ],
      violations: [
        ...Object.entries(floods).flatMap(([who, { stored, statuses, bought }]) => [
          ...(stored > perDay + tolerated ? [`${stored} reviews of ${who} were stored in a day`] : []),
          ...(stored < perDay ? [`only ${stored} reviews of ${who} were stored`] : []),
          ...[...statuses.keys()]
            .filter((status) => !expected.includes(status))
            .map((status) => `a review got ${status}`),
          ...(countRefused(bought) > 0 ? [`${countRefused(bought)} calls of a buyer were refused`] : []),
          ...(bought.length === 0 ? ['the buyer made no call'] : []),
        ]),
        ...(listBytes > maxListBytes ? [`the list of reviews has ${listBytes} bytes`] : []),
      ],
    }
  },
}

const countRefused = (statuses: number[]) => statuses.filter((status) => status !== 200).length

/** Puts an item into a cart again and again. Returns the statuses. */
async function buy(
  { call }: Process,
  as: TestCustomer,
  variantId: string,
  state: { isOver: boolean },
): Promise<number[]> {
  const statuses: number[] = []
  while (!state.isOver) {
    const body = { quantity: 1 + (statuses.length % 5) }
    const { status } = await call('setCartLine', { as, params: { variantId }, body })
    statuses.push(status)
  }
  return statuses
}
