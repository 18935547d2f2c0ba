import type { Bike, BikeList, BikeReading } from '../contract/bikes.ts'
import type { Product, ProductFacets, ProductQuery } from '../contract/catalog.ts'
import type { DocumentKind, LegalPage, ListedPost, PublicDocument } from '../contract/documents.ts'
import type { ProductFit } from '../contract/fit.ts'
import type { Review } from '../contract/reviews.ts'
import type { ShopDetails, ShopFace } from '../contract/settings.ts'

export interface ProductList {
  products: Product[]
  total: number
  /** Whether `total` is an estimate, because too many products match to count them. */
  estimated: boolean
  /** Number of products that the pages reach; below `total` if that is an estimate. */
  reachableTotal: number
  /** The text that was searched instead if no product matches the given one. */
  searchedFor?: string | undefined
  /** The size that was read in the text. */
  size?: string | undefined
  /** A size in the text that no hit has. */
  missingSize?: string | undefined
  /** Words of the text that no product has. */
  unknown?: string[] | undefined
}

/** `bikes`: those that the words of a search name. */
export type ListQuery = ProductQuery & {
  bikes?: number[]
  /** The make that the words name, and its models. */
  make?: { words: string; models: number[] }
  /** The make whose products are left out. */
  notMake?: ListQuery['make']
  /** Whether words may be dropped if no product has all of them. */
  mayDrop?: boolean
}

export interface BikeParts {
  products: Product[]
  /** Number of parts that fit the bike. */
  total: number
  /** Number of parts that fit only some of its versions. */
  some: number
  /** The largest first. Parts without a kind are only in `total`. */
  kinds: { kind: string; count: number }[]
}

/** The queries of the public pages, in the wire format. They run in the process of the shop, without HTTP. */
export interface PageQueries {
  products(query: ListQuery): Promise<ProductList>
  /** The products of the home page: the chosen ones that are for sale, or the first ones. */
  homeProducts(): Promise<Product[]>
  /** The products of a list, and its filter values with their counts. */
  productsAndFacets(query: ListQuery): Promise<{ list: ProductList; facets: ProductFacets }>
  /** The first products that match the query and fit none of its bikes. */
  misfits(query: ListQuery, limit: number): Promise<Product[]>
  /** At most three products with exactly this number. */
  productsByNumber(number: string): Promise<Pick<Product, '_id' | 'name'>[]>
  /** The kinds with the most products, the largest first, each with the picture of one of them. */
  topKinds(): Promise<{ kind: string; image: string }[]>
  /** The chosen values that are valid for the attributes of a kind of part. */
  attributeChoices(kind: string, choices: string[]): Promise<string[]>
  /** Null if the shop does not have it. */
  bike(id: number): Promise<Bike | null>
  /** The bike in a search text. Null if it names none. `own`: the bike of the list. */
  bikeSearch(text: string, own: Bike | null): Promise<BikeReading | null>
  /** The same for a text that matches no product: names may be misspelled, or have another meaning. */
  bikeLoosely(text: string, own: Bike | null): Promise<BikeReading | null>
  /** The same for a text with words that no product has: one of them may be a misspelled make. */
  misspelledMake(text: string, unknown: string[], own: Bike | null): Promise<BikeReading | null>
  /** The first models that a text may name. */
  bikeMatches(text: string): Promise<BikeReading['models']>
  /** A product and related ones; `gone` if it was deleted, `hidden`, or null if it never existed. */
  productPage(id: string): Promise<{ product: Product; related: Product[] } | 'gone' | 'hidden' | null>
  /** The price of delivery, in words. Empty if the shop has no shipping rates. */
  delivery(): Promise<string>
  reviews(page: { page?: number; pageSize: number }): Promise<{ reviews: Review[]; total: number }>
  /** `gone` if it was archived, null if it never was visible. */
  document(kind: DocumentKind, slug: string): Promise<PublicDocument | 'gone' | null>
  posts(page: { page?: number; pageSize: number }): Promise<{ posts: ListedPost[]; total: number }>
  /** The path to which a path without a page redirects; null if there is none. */
  redirect(path: string): Promise<string | null>
  settings(): Promise<LoadedSettings>
  /** Makes, models and bikes as the call lists them; null if the shop does not have the make or the model. */
  bikes(query: { make?: string; model?: string }): Promise<BikeList | null>
  /** The present slugs of a make or a model, by earlier slugs; null if the shop does not have it. */
  renamedBike(slugs: {
    make: string
    model?: string | undefined
  }): Promise<{ make: string; model: string | null } | null>
  /** The first parts that fit a bike, with the number of all of them by kind. */
  bikeParts(bikeId: number): Promise<BikeParts>
  /** A page of a product's fitments; the product may be deleted. */
  productFit(id: string, page: { page: number; pageSize: number }): Promise<ProductFit>
}

/** Settings that change while the shop runs. Each page reads them with its data, so that a change shows on all pages. */
export interface ShopSettings {
  /** Without bikes the shop shows nothing about fitment. */
  hasBikes: boolean
  shop: ShopFace
  /** The visible legal pages, in the order of the footer. */
  legalPages: LegalPage[]
}

/** The settings as the server reads them. Browsers do not get the details, but pages that show them have them as data. */
export interface LoadedSettings extends ShopSettings {
  details: ShopDetails
}

/** Settings of the process that the browser gets. They contain no secrets and change only with a restart. */
export interface PublicSettings {
  /** The shop's public origin, without a trailing slash. */
  origin: string
  stripe: {
    publishableKey: string
    /** URL of the sandbox script in TEST MODE; null for Stripe itself. */
    script: string | null
  }
  google: 'google' | 'sandbox' | 'off'
  /** How email is sent; `mailbox` is the demo mailbox at /sandbox/mailbox. */
  mail: 'smtp' | 'mailbox' | 'off'
  /** `NODE_ENV` is `production`. The shop then shows no invented numbers. */
  production: boolean
  /** The shop shows invented data. */
  demo: boolean
  /** Public URL of the bucket with uploaded pictures, without a trailing slash; null: the shop serves them. */
  picturesUrl: string | null
  /** Whether the seller has a tax id: it issues invoices, otherwise receipts. */
  hasTaxId: boolean
  /** The time after shipping in which a return can be requested; 0: never. */
  returnDays: number
  /** The countries to which orders go; null: all. */
  countries: readonly string[] | null
  /** Whether the shop has the page for withdrawals. */
  withdrawal: boolean
}

export type PageSettings = PublicSettings & ShopSettings
