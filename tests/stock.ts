import { expect } from 'vitest'
import type { TestShop } from './shop.ts'

/** Returns the stock that the public API shows. */
export async function readStock(shop: TestShop, productId: string): Promise<number> {
  return (await shop.call('getProduct', { params: { id: productId } })).body.quantity
}

/** Checks that the stock movements of a product add up to its stock. */
export async function expectLedgerToAddUp({ db }: Pick<TestShop, 'db'>, productId: string): Promise<void> {
  const { sum } = await db
    .selectFrom('stock_movements')
    .select((eb) => eb.fn.sum<number>('quantity').as('sum'))
    .where('variant_id', '=', productId)
    .executeTakeFirstOrThrow()
  const { stock } = await db
    .selectFrom('products')
    .select('stock')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  expect(sum).toBe(stock)
}
