import { productPath, toSlug } from '../../contract/product-path.ts'
import type { LoaderRequest } from './loader.ts'

/** Finds a product by its id. Redirects to its canonical path if the slug is not that of its name. */
export async function loadProduct({ params: { id = '', slug }, queries }: LoaderRequest) {
  const found = await queries.productPage(id)
  if (found === null) return { data: null, status: 404 }
  if (found === 'gone') return { data: 'gone' as const, status: 410 }
  if (slug !== toSlug(found.product.name)) return { redirect: productPath(found.product) }
  return { data: { ...found, canonical: productPath(found.product) } }
}
