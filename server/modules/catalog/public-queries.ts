import type { Kysely } from 'kysely'
import type { ProductQuery } from '../../../contract/catalog.ts'
import type { Database } from '../../../db/schema.ts'
import { presentProduct } from './present.ts'
import { findProduct, findProducts, isDeletedProduct, type Product } from './repository.ts'
import { countFacets, searchProducts } from './search/search.ts'

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
      if (!product) return (await isDeletedProduct(db, id)) ? ('gone' as const) : null
      const related = await listRelated(db, product, 4)
      return { product: presentProduct(product), related: related.map(presentProduct) }
    },
  }
}

/** A page of the products that match the query, in its order. */
export async function listProducts(db: Kysely<Database>, query: ProductQuery) {
  const { ids, ...page } = await searchProducts(db, query)
  return { rows: await findProducts(db, ids), ...page }
}

/** Other products of the same kind. Returns none for a product without a kind. */
async function listRelated(db: Kysely<Database>, { id, kind }: Product, limit: number): Promise<Product[]> {
  if (kind === null) return []
  const { ids } = await searchProducts(db, { kind: [kind], pageSize: limit + 1 })
  return findProducts(db, ids.filter((other) => other !== id).slice(0, limit))
}
