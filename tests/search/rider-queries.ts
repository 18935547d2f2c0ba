import queries from './rider-queries.json' with { type: 'json' }

/** Content that a page must offer. All keys must hold; a list needs one of its values. Values are facts of the demo shop. */
export interface Expectation {
  /** A product of one of these kinds of part. */
  kinds?: string[]
  /** One of these products, by its name in `seed/products.ts`, without the brand. */
  products?: string[]
  /** A link to this page, or to a page below it, such as the page of a model. */
  bikePage?: string
  /** A sentence that this word is unknown or not sold. */
  names?: string
}

/** A search text of a rider. The held-out set is not used for tuning. */
export interface RiderQuery {
  q: string
  group: string
  set: 'tuning' | 'held-out'
  expect: Expectation
  /** Why the first three cards, or the text above them, do not have it. Only of the tuning set. */
  fails?: string
}

export const riderQueries = queries as RiderQuery[]
