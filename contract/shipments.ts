import * as z from 'zod/mini'
import { id, line, lineNumber } from './fields.ts'
import { maxCartLines } from './limits.ts'

export const maxTrackingNumbers = 10

const trackingNumber = z.string('Tracking number is required').check(
  z.trim(),
  z.minLength(1, 'Tracking number is required'),
  z.maxLength(60, 'At most 60 characters'),
  z.refine((text) => /^([a-z0-9][a-z0-9 -]*)?$/i.test(text), 'Use letters, digits, spaces and dashes'),
)

/** How a shipment is tracked. `carrier`: one of `contract/carriers.ts`, or any other name. */
export const Tracking = z.object({
  carrier: z.optional(line(60)),
  trackingNumbers: z.array(trackingNumber).check(
    z.maxLength(maxTrackingNumbers, `At most ${maxTrackingNumbers} tracking numbers`),
    z.refine((numbers) => new Set(numbers).size === numbers.length, 'Name each number once'),
  ),
})
export type Tracking = z.infer<typeof Tracking>

/** `before`: the tracking that was edited. Without it, the edit overwrites other admins' changes. */
export const EditedTracking = z.extend(Tracking, { before: z.optional(Tracking) })
export type EditedTracking = z.infer<typeof EditedTracking>

/** Lines of an order to ship, by number; without them all that are open. A line ships as a whole. */
export const NewShipment = z.object({
  lines: z.optional(
    z
      .array(lineNumber)
      .check(
        z.minLength(1, 'Choose at least one item'),
        z.maxLength(maxCartLines, `At most ${maxCartLines} lines`),
      ),
  ),
  carrier: Tracking.shape.carrier,
  trackingNumbers: z._default(Tracking.shape.trackingNumbers, []),
})
export type NewShipment = z.infer<typeof NewShipment>

/** A part of an order that left the shop, or is ready for pickup. `shippedAt` in ISO 8601. */
export const Shipment = z.object({
  id: z.string(),
  carrier: z.optional(z.string()),
  trackingNumbers: z.array(z.string()),
  shippedAt: z.string(),
  /** Until then it can be undone without an email to the buyer. ISO 8601. Only in the response to the admin who ships. */
  undoUntil: z.optional(z.string()),
  /** Lines with their pieces that were not cancelled. The first line of an order is 1. */
  lines: z.array(z.object({ line: z.int(), pieces: z.int() })),
})
export type Shipment = z.infer<typeof Shipment>

/** Sets a shipment back. The buyer gets the reason, if the email about the shipment was sent. */
export const SetBackShipment = z.object({ reason: z.optional(line(300)) })
export type SetBackShipment = z.infer<typeof SetBackShipment>

export const RestoredShipment = z.object({
  restored: z.literal(true),
  /** Whether the email about the shipment was not sent. */
  emailWithdrawn: z.boolean(),
})

export const ShipmentId = z.object({ id })
