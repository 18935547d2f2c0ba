import { fillCatalog } from '../seed/fill-catalog.ts'
import { openShopUnderTest, type ShopUnderTest } from '../tests/hardening/shop-under-test.ts'

/** What a shop is told for a measurement: nothing is printed while it serves. */
const settings = { LOG_LEVEL: 'error' }

/** A shop that really runs, with so many products; the seed's own. */
export async function openCatalog(
  products: number,
  print: (progress: string) => void,
  more: Record<string, string> = {},
): Promise<ShopUnderTest> {
  const shop = await openShopUnderTest({ settings: { ...settings, ...more } })
  await fill(shop, products, print)
  return shop
}

/** Adds products until there are so many. */
export async function fill(
  { db }: ShopUnderTest,
  products: number,
  print: (progress: string) => void,
): Promise<void> {
  print(`filling the catalogue with ${products.toLocaleString('en')} products`)
  await fillCatalog(db, products, () => undefined)
}
