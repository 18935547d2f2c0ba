import type { Product, ProductFacets, ProductQuery } from '../contract/catalog.ts'
import type { Review } from '../contract/reviews.ts'

export interface ProductList {
  products: Product[]
  total: number
  /** Whether `total` is an estimate, because too many products match to count them. */
  estimated: boolean
  /** How many of the products the pages reach. */
  reachableTotal: number
  /** The text that was searched instead if no product matches the given one. */
  searchedFor: string | undefined
}

/** The queries of the public pages, in the wire format. They run in the process of the shop, without HTTP. */
export interface PageQueries {
  products(query: ProductQuery): Promise<ProductList>
  /** The values that the list can be filtered by, with the present filters applied. */
  facets(query: ProductQuery): Promise<ProductFacets>
  /** A product and some more of its kind; `gone` if it was deleted, null if it never existed. */
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
