import type { ImportKind } from '../contract/imports.ts'
import { shopifyOrderFile } from './modules/archive/files/file.ts'
import { bikeFile } from './modules/bikes/files/file.ts'
import { createShopifyFile, createWooCommerceFile } from './modules/catalog/files/other-shops/file.ts'
import { partNumberFile } from './modules/catalog/files/part-numbers/file.ts'
import { productFile } from './modules/catalog/files/products/file.ts'
import { undoOfProducts } from './modules/catalog/files/undo/file.ts'
import { redirectFile } from './modules/content/files/redirects/file.ts'
import { saveOldAddresses } from './modules/content/service.ts'
import { acesFile } from './modules/fitment/files/aces/file.ts'
import { acesCodeFile } from './modules/fitment/files/aces-codes/file.ts'
import { fitmentFile } from './modules/fitment/files/fitments/file.ts'
import type { FileKind } from './modules/imports/file-kind.ts'

/** The import files, each read and written by the module that owns its tables. */
export const fileKinds: Record<ImportKind, FileKind> = {
  products: productFile,
  bikes: bikeFile,
  fitments: fitmentFile,
  'aces-codes': acesCodeFile,
  aces: acesFile,
  'part-numbers': partNumberFile,
  'shopify-products': createShopifyFile(saveOldAddresses),
  'woocommerce-products': createWooCommerceFile(saveOldAddresses),
  redirects: redirectFile,
  'shopify-orders': shopifyOrderFile,
}

export { productSelection } from './modules/catalog/files/selection/file.ts'
export { undoOfProducts } from './modules/catalog/files/undo/file.ts'
export { listDelivered, receive } from './modules/catalog/receipts/service.ts'

/** The tables with the rows of imports. */
export const rowTables = [
  ...new Set([...Object.values(fileKinds), undoOfProducts].map(({ rowTable }) => rowTable)),
]
