import * as z from 'zod/mini'
import { lineBike } from './bikes.ts'
import { id, line, price, wholeNumber } from './fields.ts'
import { CartLineFit } from './fit.ts'
import { fitKinds } from './fit-answer.ts'
import { maxOptionLength, maxQuantity } from './limits.ts'

const anyQuantity = wholeNumber('Quantity is required').check(z.lte(maxQuantity, 'At most 1,000,000'))

/**
 * The choices of a product with standard options, which needs both. A variant has its own size and colour: a line with others
 * was chosen before the product had variants, and cannot be ordered. Ignored for other products.
 */
const options = { size: z.optional(line(maxOptionLength)), colour: z.optional(line(maxOptionLength)) }

/** A line of a cart. `unitPrice` is the price in dollars that the buyer saw. */
export const CartLine = z.object({
  variantId: id,
  quantity: anyQuantity.check(z.gte(1, 'At least 1')),
  unitPrice: z.optional(price('Price is required')),
  /** The bike that the buyer orders for. Without it, or with one that the shop does not have, the line has no fit. */
  bike: z.optional(lineBike),
  ...options,
})
export type CartLine = z.infer<typeof CartLine>

/** Lines of a browser. More than 50 are an error of their own. */
export const CartLines = z.object({ lines: z.array(CartLine) })

export const CartLineId = z.object({ variantId: id })

/**
 * `quantity` replaces the line's quantity; 0 removes the line. With `addition` the pieces are added instead, even if
 * another tab has changed the line meanwhile; a repeated request with the same id adds nothing. `bike` replaces the
 * line's bike; null removes it.
 */
export const CartLineChange = z.object({
  quantity: anyQuantity.check(z.gte(0, 'At least 0')),
  addition: z.optional(
    z.object({ id: z.uuid('A UUID is required'), pieces: anyQuantity.check(z.gte(1, 'At least 1')) }),
  ),
  bike: z.optional(z.nullable(lineBike)),
  ...options,
})
export type CartLineChange = z.infer<typeof CartLineChange>

/**
 * The reason why a line cannot be ordered as it is. `left`: pieces that can be ordered; `was`: the price in dollars that
 * the buyer saw.
 */
export const LineProblem = z.discriminatedUnion('code', [
  z.object({ code: z.literal('VARIANT_NOT_FOUND') }),
  /** A product with standard options, without a size or without a colour. */
  z.object({ code: z.literal('CHOICE_REQUIRED') }),
  z.object({ code: z.literal('OUT_OF_STOCK'), left: z.int() }),
  z.object({ code: z.literal('QUANTITY_NOT_MATCHED'), minimum: z.int() }),
  z.object({ code: z.literal('PRICE_CHANGED'), was: z.number() }),
])
export type LineProblem = z.infer<typeof LineProblem>

/**
 * A line with its present price, in dollars. An unknown variant has no product, name, picture and price: they are blank
 * and 0.
 */
export const QuoteLine = z.object({
  variantId: z.string(),
  productId: z.string(),
  name: z.string(),
  image: z.string(),
  size: z.optional(z.string()),
  colour: z.optional(z.string()),
  quantity: z.int(),
  unitPrice: z.number(),
  total: z.number(),
  /** Pieces that this line can order: the stock without the earlier lines of the same variant. */
  left: z.int(),
  /** The minimum order, for all lines of the variant together. */
  minimum: z.int(),
  problem: z.optional(LineProblem),
  /** The kind of part. */
  kind: z.optional(z.string()),
  /** The name and the return note of a product with special terms of returns. */
  returns: z.optional(z.string()),
  /** A product without a kind and fitments is `gear` too, because nothing shows that it depends on a bike. */
  fitKind: z.enum(fitKinds),
  /** Missing without a bike, and for gear. */
  fit: z.optional(CartLineFit),
})
export type QuoteLine = z.infer<typeof QuoteLine>
