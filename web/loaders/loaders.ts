import { loadHome } from './home.ts'
import type { Loader } from './loader.ts'
import { loadProduct } from './product.ts'
import { loadProducts } from './products.ts'
import { loadReviews } from './reviews.ts'

/** Loaders by page name, which is the last module name of a route. */
export const loaders: Record<string, Loader> = {
  home: loadHome,
  product: loadProduct,
  products: loadProducts,
  reviews: loadReviews,
}
