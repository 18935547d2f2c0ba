import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fillCatalog } from '../seed/fill-catalog.ts'
import * as cart from '../server/modules/cart/service.ts'
import { findFits } from '../server/modules/fitment/service.ts'
import { checkOut, placePurchase } from '../server/modules/orders/service.ts'
import { createDatabase } from '../server/platform/database/database.ts'
import { aBike, aCheckout, aCustomer, aProduct } from './factories.ts'
import { useTestShop } from './shop.ts'

const shop = useTestShop()

/** Postgres plans the first five executions in any case. */
const runs = 8

test('Postgres keeps the plans of orders, quotes and fits, in a shop with many products', async () => {
  await fillCatalog(shop.db, 1_000, () => {})
  const [buyer, productId] = [await aCustomer(shop), await aProduct(shop, { quantity: 100 })]
  const bike = await aBike(shop)
  await sql`analyze`.execute(shop.db)
  // One session, which lists its plans.
  const { db, close } = createDatabase(shop.database.url, { poolSize: 1 })
  try {
    const deps = { db, terms: { ...shop.config, unpaidOrdersPerCustomer: 100 }, orderEmails: null }
    const actor = { customerId: buyer.id, ip: '127.0.0.1' }
    const lines = [{ variantId: productId, quantity: 1, unitPrice: 40 }]
    const { coupon: _, ...checkout } = aCheckout(lines)
    for (let run = 0; run < runs; run++) {
      const body = { productId, quantity: 1, amount: 40, customerAddress: '1 Road' }
      await placePurchase(deps, actor, body, null)
      await placePurchase(deps, actor, { ...body, bikeId: bike }, null)
      await checkOut(deps, actor, checkout, randomUUID())
      await cart.quote(db, lines)
      await findFits(db, [{ productId, bikeId: bike }])
    }
    const { rows } = await sql<{ statement: string; isKept: boolean }>`
      select statement, generic_plans > 0 as "isKept" from pg_prepared_statements
      where generic_plans + custom_plans >= ${runs}`.execute(db)
    expect(rows.filter(({ isKept }) => !isKept)).toEqual([])
    const count = (text: string) => rows.filter(({ statement }) => statement.includes(text)).length
    expect([count('insert into orders'), count('as pair (')]).toEqual([3, 1])
  } finally {
    await close()
  }
})
