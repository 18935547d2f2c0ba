import * as z from 'zod/mini'
import {
  gtin,
  id,
  line,
  paging,
  partNumber,
  pieces,
  requiredLine,
  requiredLines,
  requiredPictureAddress,
  sortBy,
  wholeNumber,
} from './fields.ts'
import type { ProductColumnName } from './product-columns.ts'
import { priceBandNames } from './product-filters.ts'

export const categories = ['Local', 'Imported'] as const

/** A product on the wire in the specification's words; the last four are additions of ours. `price` in dollars, `quantity` is the stock, `minimum` the smallest order. */
export const Product = z.object({
  _id: z.string(),
  name: z.string(),
  image: z.string(),
  description: z.string(),
  category: z.optional(z.enum(categories)),
  minimum: z.int(),
  quantity: z.int(),
  price: z.number(),
  supplier: z.optional(z.string()),
  brand: z.optional(z.string()),
  /** The kind of part, as `Brake pads`. */
  kind: z.optional(z.string()),
  /** The part number, as it is printed. */
  sku: z.optional(z.string()),
  gtin: z.optional(z.string()),
} satisfies Record<'_id' | ProductColumnName, z.ZodMiniType>)
export type Product = z.infer<typeof Product>

export const productSorts = ['name', 'price', 'quantity', 'minimum', 'category', 'created'] as const
/**
 * Which products, in which order: of a search the best match comes first, otherwise what came first into the shop.
 * `q` is looked for in name, brand, kind, category, supplier and part number.
 */
export const ProductQuery = z.object({
  ...paging,
  q: z.optional(line(500)),
  sort: sortBy(productSorts),
  category: z.optional(z.enum(categories)),
  kind: z.optional(line(80)),
  brand: z.optional(line(80)),
  price: z.optional(z.enum(priceBandNames)),
  inStock: z.optional(z.enum(['true'])),
})
export type ProductQuery = z.infer<typeof ProductQuery>

/** The values that a filter can have beside the others that are chosen, and how many products each leaves. */
const Facet = z.object({
  values: z.array(z.object({ value: z.string(), count: z.int() })),
  /** Too many were found to count them one by one: the counts are about so. */
  estimated: z.boolean(),
})

/** What there is to choose from. `total` counts what is found with all that is chosen. */
export const ProductFacets = z.object({
  total: z.int(),
  estimated: z.boolean(),
  /** What was searched instead, where nothing is called what was typed. */
  searchedFor: z.optional(z.string()),
  facets: z.object({ category: Facet, kind: Facet, brand: Facet, price: Facet, inStock: Facet }),
})
export type ProductFacets = z.infer<typeof ProductFacets>

export const ProductId = z.object({ id })

export const NewProduct = z.object({
  name: requiredLine(200, 'Name is required'),
  category: z.optional(z.enum(categories)),
  price: wholeNumber('Price is required').check(z.gte(1, 'At least $1'), z.lte(999_999, 'At most $999,999')),
  quantity: wholeNumber('Quantity is required').check(
    z.gte(0, 'At least 0'),
    z.lte(1_000_000, 'At most 1,000,000'),
  ),
  minimum: wholeNumber('Minimum is required').check(
    z.gte(1, 'At least 1'),
    z.lte(1_000_000, 'At most 1,000,000'),
  ),
  description: requiredLines(4000, 'Description is required'),
  image: requiredPictureAddress('Image is required'),
  supplier: z.optional(line(120)),
  brand: z.optional(line(80)),
  kind: z.optional(line(80)),
  sku: z.optional(partNumber),
  gtin: z.optional(gtin),
} satisfies Record<ProductColumnName, z.ZodMiniType>)
export type NewProduct = z.infer<typeof NewProduct>

/** All of a product but its stock, which is moved and never set with the rest. */
export const EditedProduct = z.omit(NewProduct, { quantity: true })
export type EditedProduct = z.infer<typeof EditedProduct>

/** `quantity` alone sets a counted stock; with `delta` the server adds that instead. */
export const StockChange = z.object({
  quantity: pieces('Quantity is required'),
  delta: z.optional(pieces('Quantity is required')),
})
export type StockChange = z.infer<typeof StockChange>

/** `quantity` is the stock after the change. */
export const StockChanged = z.object({
  acknowledged: z.literal(true),
  modifiedCount: z.int(),
  quantity: z.int(),
})
