import * as z from 'zod/mini'
import { Product, ProductQuery } from './catalog.ts'
import { id, line } from './fields.ts'
import { ExportQuery } from './imports.ts'

/** A product in the lists of admins. */
export const ListedProduct = z.extend(Product, {
  /** Not for sale, and in no public list. */
  hidden: z.optional(z.literal(true)),
  /** In ISO 8601. */
  deletedAt: z.optional(z.string()),
})
export type ListedProduct = z.infer<typeof ListedProduct>

/**
 * The filters of the lists of admins. Without `deleted` and `hidden`: products that are not deleted. `stockAtMost`: one of its
 * variants has at most that stock. `low`: one of its variants has at most its own low stock. `noFitment`: made for
 * particular bikes, but without any. `noPicture`: with the drawing of a missing picture.
 */
export const ListFilters = z.object({
  ...z.omit(ProductQuery, {
    page: true,
    pageSize: true,
    sort: true,
    attribute: true,
    bike: true,
    fit: true,
    plain: true,
  }).shape,
  supplier: z.optional(line(120)),
  stockAtMost: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))),
  low: z.optional(z.literal('true')),
  hidden: z.optional(z.enum(['true', 'false'])),
  noFitment: z.optional(z.literal('true')),
  noPicture: z.optional(z.literal('true')),
  deleted: z.optional(z.literal('true')),
})
export type ListFilters = z.infer<typeof ListFilters>

export const ListedProductQuery = z.object({
  ...z.pick(ProductQuery, { page: true, pageSize: true, sort: true }).shape,
  ...ListFilters.shape,
})
export type ListedProductQuery = z.infer<typeof ListedProductQuery>

/** The products that match the filters, with a column for each attribute of the shop, or of the only chosen kind. */
export const ProductExportQuery = z.object({ ...ExportQuery.shape, ...ListFilters.shape })
export type ProductExportQuery = z.infer<typeof ProductExportQuery>

export const Visibility = z.object({ hidden: z.boolean() })

export const maxSelected = 100_000
/** A selection by ids is a part of the body. */
const maxSelectedIds = 10_000

/** The last cents of a price. */
export const priceEndings = [0, 90, 95, 99] as const
export type PriceEnding = (typeof priceEndings)[number]

const percentMessage = 'Enter per cent from −90 to 900 with at most two decimals'
const amountMessage = 'Enter dollars with at most two decimals, such as -2.50'

/** A new price by per cent, perhaps rounded to the nearest price with an ending in cents. */
export const PercentChange = z.strictObject({
  percent: z
    .number(percentMessage)
    .check(z.gte(-90, percentMessage), z.lte(900, percentMessage), z.multipleOf(0.01, percentMessage)),
  ending: z.optional(z.union(priceEndings.map((ending) => z.literal(ending)))),
})

/** A new price by an amount in dollars. */
export const AmountChange = z.strictObject({
  amount: z
    .number(amountMessage)
    .check(z.gte(-999_999, amountMessage), z.lte(999_999, amountMessage), z.multipleOf(0.01, amountMessage)),
})

/** Each variant keeps its own price, and the product has the lowest one. */
const PriceChange = z.union([PercentChange, AmountChange])
export type PriceChange = z.infer<typeof PriceChange>

/** One change of many products. A blank text clears the value. */
const ProductChange = z.union([
  z.strictObject({ price: PriceChange }),
  z.strictObject({ hidden: z.boolean() }),
  z.strictObject({ brand: line(80) }),
  z.strictObject({ kind: line(80) }),
  z.strictObject({ supplier: line(120) }),
  z.strictObject({ deleted: z.boolean() }),
])
export type ProductChange = z.infer<typeof ProductChange>

/**
 * The products of a change: by their ids, or all that match the filters, except some. `total`: the number of all matches when
 * they were selected.
 */
const Selection = z.union([
  z.strictObject({ ids: z.array(id).check(z.minLength(1), z.maxLength(maxSelectedIds)) }),
  z.strictObject({
    query: ListFilters,
    total: z.int().check(z.gte(1)),
    except: z.optional(z.array(id).check(z.maxLength(maxSelectedIds))),
  }),
])
export type Selection = z.infer<typeof Selection>

export const ProductChanges = z.object({ selection: Selection, change: ProductChange })
export type ProductChanges = z.infer<typeof ProductChanges>
