import * as z from 'zod/mini'
import {
  id,
  line,
  paging,
  pieces,
  requiredLine,
  requiredLines,
  requiredPictureAddress,
  sortBy,
  wholeNumber,
} from './fields.ts'

export const categories = ['Local', 'Imported'] as const

/** A product on the wire; `price` in dollars, `quantity` is the stock, `minimum` the smallest order. */
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
})
export type Product = z.infer<typeof Product>

export const productSorts = ['name', 'price', 'quantity', 'minimum', 'category'] as const
export const ProductQuery = z.object({
  ...paging,
  sort: sortBy(productSorts),
  category: z.optional(z.enum(categories)),
})
export type ProductQuery = z.infer<typeof ProductQuery>

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
})
export type NewProduct = z.infer<typeof NewProduct>

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
