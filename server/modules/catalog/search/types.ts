import type { NumberRange } from '../../../../contract/attribute-values.ts'

/** Values of one attribute: a product has one of the choices, or a number in one of the ranges. */
export interface ChosenAttribute {
  name: string
  values: string[]
  ranges: NumberRange[]
}

/** The typed words as Postgres searches them. */
export interface ParsedQuery {
  /** A `tsquery`, as text. */
  query: string
  /** The whole input as a part number, without dashes, spaces and case. Empty if it cannot be one. */
  partNumber: string
  /** The kinds and brands that may have matches; '' for products without one. */
  facets: { kind: string[]; brand: string[] }
}

/** Estimate of the hits before they are read. */
export interface Estimate {
  hits: number
  /** Hits per value of the order's partition. Null without words and fit: then the counts are exact. */
  shares: { value: string; hits: number }[] | null
  /** Sort key after which no hit is needed, most likely. Null if not known. */
  last: string | null
  /** Hits up to that key. */
  hitsToLast: number
}
