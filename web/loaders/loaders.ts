import { loadHome } from './home.ts'
import type { Loader } from './loader.ts'
import { loadProduct } from './product.ts'
import { loadProducts } from './products.ts'
import { loadReviews } from './reviews.ts'

/** By the names of the pages, which are the last of their routes' parts. */
export const loaders: Record<string, Loader> = {
  home: loadHome,
  product: loadProduct,
  products: loadProducts,
  reviews: loadReviews,
}
