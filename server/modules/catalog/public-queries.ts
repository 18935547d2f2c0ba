import type { Kysely } from 'kysely'
import type { ProductQuery } from '../../../contract/catalog.ts'
import type { Database } from '../../../db/schema.ts'
import { presentProduct } from './present.ts'
import { findProduct, wasProduct } from './repository.ts'
import { countFacets, listProducts, listRelated } from './search/search.ts'

/** The part of the catalog that everyone may read, on pages and by calls, in the wire format. */
export function createPublicQueries(db: Kysely<Database>) {
  return {
    async products(query: ProductQuery) {
      const { rows, ...page } = await listProducts(db, query)
      return { products: rows.map(presentProduct), ...page }
    },
    facets: (query: ProductQuery) => countFacets(db, query),
    async product(id: string) {
      const product = await findProduct(db, id)
      return product ? presentProduct(product) : null
    },
    /** Returns a product and some more of its kind; `gone` if it was deleted, null if it never existed. */
    async productPage(id: string) {
      const product = await findProduct(db, id)
      if (!product) return (await wasProduct(db, id)) ? ('gone' as const) : null
      const related = await listRelated(db, product, 4)
      return { product: presentProduct(product), related: related.map(presentProduct) }
    },
  }
}
