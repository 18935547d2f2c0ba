import type { Product, ProductFacets, ProductQuery } from '../contract/catalog.ts'
import type { Review } from '../contract/reviews.ts'

export interface ProductList {
  products: Product[]
  total: number
  /** Too many were found to count them: `total` is about so. */
  estimated: boolean
  /** How many of them the pages lead through. */
  reachableTotal: number
  /** What was searched instead, where nothing is called what was typed. */
  searchedFor: string | undefined
}

/** What the public pages read, straight from the shop in the same process, in the wire's shapes. */
export interface ShopReads {
  products(query: ProductQuery): Promise<ProductList>
  /** What the list can be filtered by, beside what it is filtered by already. */
  facets(query: ProductQuery): Promise<ProductFacets>
  product(id: string): Promise<Product | null>
  /** A product with some more of its kind; `gone` where it has left the shop, null where there never was one. */
  productPage(id: string): Promise<{ product: Product; related: Product[] } | 'gone' | null>
  reviews(query?: { pageSize?: number }): Promise<Review[]>
}

/** What a browser may know of the shop's settings. */
export interface PublicSettings {
  /** The shop's public address, without a slash at its end. */
  origin: string
  stripe: {
    publishableKey: string
    /** The sandbox's script where the shop runs in TEST MODE; null for Stripe itself. */
    script: string | null
  }
  google: 'google' | 'sandbox' | 'off'
  /** How letters leave the shop; the mailbox is the demo's, at /sandbox/mailbox. */
  mail: 'smtp' | 'mailbox' | 'off'
}
