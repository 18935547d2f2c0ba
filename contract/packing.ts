import * as z from 'zod/mini'
import { id, idempotencyKey } from './fields.ts'
import { Order, OrderLine } from './orders.ts'

/** The most packing slips of one call. */
export const maxSlips = 100

/**
 * The packing slips of the `next` orders to ship whose slip was not printed yet, the oldest first; or of the orders `ids`; or
 * of one `order` that is packed, which is not recorded as printed.
 */
export const SlipRequest = z
  .object({
    next: z.optional(z.int().check(z.gte(1), z.lte(maxSlips, `At most ${maxSlips} packing slips`))),
    ids: z.optional(
      z
        .array(id)
        .check(
          z.minLength(1, 'Name at least one order'),
          z.maxLength(maxSlips, `At most ${maxSlips} orders`),
        ),
    ),
    order: z.optional(id),
  })
  .check(
    z.refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, {
      error: 'Send `next`, `ids` or `order`',
      path: ['next'],
    }),
  )
export type SlipRequest = z.infer<typeof SlipRequest>

/** A print of the `next` slips is repeated with its key. A page of an earlier version sends none. */
export const SlipHeaders = z.object({ 'idempotency-key': z.optional(idempotencyKey) })

/** A line of a packing slip. `shelf`: where the item is stored now. */
export const PackedLine = z.extend(OrderLine, {
  shelf: z.optional(z.string()),
  /** The product has got its sizes and colours since the order: which of them to send is not known. */
  unspecified: z.optional(z.literal(true)),
  /** The GTIN and the part numbers by which a scan finds the line: of the order, and of the item now. */
  codes: z.array(z.string()),
})
export type PackedLine = z.infer<typeof PackedLine>

/** An order to pack. `slipPrintedAt` in ISO 8601. `withdrawn`: whether a withdrawal of items to ship is open. */
export const PackingSlip = z.extend(Order, {
  lines: z.array(PackedLine),
  withdrawn: z.boolean(),
  slipPrintedAt: z.optional(z.string()),
})
export type PackingSlip = z.infer<typeof PackingSlip>

/** `sender`: the shop, for the return address. */
export const PackingSlips = z.object({
  sender: z.object({ name: z.string(), address: z.array(z.string()) }),
  slips: z.array(PackingSlip),
})
export type PackingSlips = z.infer<typeof PackingSlips>
