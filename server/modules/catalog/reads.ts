import type { Kysely } from 'kysely'
import type { ProductQuery } from '../../../contract/catalog.ts'
import type { Database } from '../../../db/schema.ts'
import type { Shows } from '../../platform/changes.ts'
import { presentProduct } from './present.ts'
import { findProduct, wasProduct } from './repository.ts'
import { countFacets, listProducts, listRelated } from './search/search.ts'

/** What of a product is shown: any change of it makes anew what shows it. */
const productTag = (id: string): string => `product:${id}`

/**
 * What anybody may read of the catalogue, on pages and by calls, in the wire's shapes. Each read names what it shows, in the
 * tags that the triggers of migration 0008 tell.
 */
export function publicReads(db: Kysely<Database>, shows: Shows) {
  return {
    async products(query: ProductQuery) {
      shows('products')
      if (query.sort?.endsWith('quantity')) shows('stock')
      if (query.inStock) shows('availability')
      const { rows, ...page } = await listProducts(db, query)
      shows(...rows.map(({ id }) => productTag(id)))
      return { products: rows.map(presentProduct), ...page }
    },
    facets(query: ProductQuery) {
      shows('products', 'availability')
      return countFacets(db, query)
    },
    async product(id: string) {
      shows(productTag(id))
      const product = await findProduct(db, id)
      return product ? presentProduct(product) : null
    },
    /** A product with some more of its kind; `gone` where it has left the shop, null where there never was one. */
    async productPage(id: string) {
      shows(productTag(id))
      const product = await findProduct(db, id)
      if (!product) return (await wasProduct(db, id)) ? ('gone' as const) : null
      shows('products')
      const related = await listRelated(db, product, 4)
      shows(...related.map(({ id }) => productTag(id)))
      return { product: presentProduct(product), related: related.map(presentProduct) }
    },
  }
}
