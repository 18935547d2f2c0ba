import * as z from 'zod/mini'
import { id, line, wholeNumber } from './fields.ts'
import { maxQuantity } from './limits.ts'
import { NamedItem } from './scan.ts'

/** The most items of one receipt. */
export const maxReceiptLines = 2_000

/**
 * Goods that arrived, which are added to the stock, or a count of a shelf. A count adds `quantity` - `expected` to the
 * stock: `expected` is the stock with the reserved pieces when the count began, so that orders and shipments in the
 * meantime do not matter. Each item is named once.
 */
export const Receipt = z.object({
  kind: z.enum(['delivery', 'count']),
  supplier: z.optional(line(120)),
  /** The number of the delivery note, or the name of the shelf. */
  reference: z.optional(line(60)),
  /** The checked file of this delivery. The receipt replaces it, so that the delivery is not added twice. */
  deliveryNote: z.optional(id),
  lines: z
    .array(
      z.object({
        variantId: id,
        quantity: wholeNumber('Quantity is required').check(
          z.gte(0, 'At least 0'),
          z.lte(maxQuantity, 'At most 1,000,000'),
        ),
        /** Only for a count. */
        expected: z.optional(
          wholeNumber('Enter a whole number').check(z.gte(0, 'At least 0'), z.lte(2_147_483_647)),
        ),
      }),
    )
    .check(z.minLength(1, 'At least one item'), z.maxLength(maxReceiptLines, 'At most 2,000 items')),
})
export type Receipt = z.infer<typeof Receipt>

/** The items of a checked delivery file, to compare with what has arrived. `quantity`: the pieces in the file. */
export const DeliveryNote = z.object({
  fileName: z.string(),
  supplier: z.optional(z.string()),
  lines: z.array(z.extend(NamedItem, { quantity: z.int() })),
})
export type DeliveryNote = z.infer<typeof DeliveryNote>
