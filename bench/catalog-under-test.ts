import { fillCatalog } from '../seed/fill-catalog.ts'
import {
  type EmbeddedShopUnderTest,
  openShopUnderTest,
  type ShopUnderTest,
} from '../tests/hardening/shop-under-test.ts'
import { addAttributes } from './generated-attributes.ts'
import { addFitments, toFit } from './generated-fitments.ts'

/** Only errors are logged during a measurement. */
const settings = { LOG_LEVEL: 'error' }

/** Opens a running shop without products. */
export const openEmptyCatalog = (
  extraSettings: Record<string, string> = {},
): Promise<EmbeddedShopUnderTest> => openShopUnderTest({ settings: { ...settings, ...extraSettings } })

/** Opens a running shop with N generated products. */
export async function openCatalog(
  products: number,
  print: (progress: string) => void,
  extraSettings: Record<string, string> = {},
): Promise<EmbeddedShopUnderTest> {
  const shop = await openEmptyCatalog(extraSettings)
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

/** Does the same with products that have attributes, and 30 fitments on average. */
export async function fillWithFitments(
  { db }: ShopUnderTest,
  products: number,
  bikes: number[],
  print: (progress: string) => void,
): Promise<void> {
  print(`adding products with fitments up to ${products.toLocaleString('en')}`)
  await addAttributes(db)
  await fillCatalog(db, products, () => undefined, { allHaveSizes: true, toFit: toFit(bikes) })
  print('adding their fitments')
  await addFitments(db)
}
