import * as z from 'zod/mini'
import { line } from './fields.ts'
import { orderStatuses } from './order-status.ts'

/** A scanned or typed code: the beginning of an order id, a GTIN, a part number, or the id of an item. */
export const ScanQuery = z.object({ code: line(100) })

/** An item in a scan or a delivery note. */
export const NamedItem = z.object({
  variantId: z.string(),
  name: z.string(),
  size: z.optional(z.string()),
  colour: z.optional(z.string()),
  sku: z.optional(z.string()),
  gtin: z.optional(z.string()),
  shelf: z.optional(z.string()),
})

/** The orders and the items with a code; both lists are empty for an unknown one. */
export const ScanResult = z.object({
  orders: z.array(z.object({ id: z.string(), number: z.string(), status: z.enum(orderStatuses) })),
  variants: z.array(
    z.extend(NamedItem, {
      productId: z.string(),
      stock: z.int(),
      /** Pieces of orders that are not shipped, which are on the shelf but not in the stock. */
      reserved: z.int(),
      image: z.string(),
    }),
  ),
})
export type ScanResult = z.infer<typeof ScanResult>
