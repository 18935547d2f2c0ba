import { fillCatalog } from '../seed/fill-catalog.ts'
import {
  type EmbeddedShopUnderTest,
  openShopUnderTest,
  type ShopUnderTest,
} from '../tests/hardening/shop-under-test.ts'

/** Only errors are logged during a measurement. */
const settings = { LOG_LEVEL: 'error' }

/** Opens a running shop with N generated products. */
export async function openCatalog(
  products: number,
  print: (progress: string) => void,
  extraSettings: Record<string, string> = {},
): Promise<EmbeddedShopUnderTest> {
  const shop = await openShopUnderTest({ settings: { ...settings, ...extraSettings } })
  await fill(shop, products, print)
  return shop
}

/** Adds generated products with three sizes each until the shop has N. */
export async function fill(
  { db }: ShopUnderTest,
  products: number,
  print: (progress: string) => void,
): Promise<void> {
  print(`adding products up to ${products.toLocaleString('en')}`)
  await fillCatalog(db, products, () => undefined, { allHaveSizes: true })
}
