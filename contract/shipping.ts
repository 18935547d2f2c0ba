import * as z from 'zod/mini'
import { editedRevision, id, line, newRowId, price, requiredLine, wholeNumber } from './fields.ts'
import { editedPickupPlace, editedPlace, pickupPlace, place } from './places.ts'
import { weight } from './variants.ts'

/** Limit of places of one rate: all states of the United States, and more. */
const maxPlaces = 300

/** A price in dollars that may be 0. */
const anyPrice = z
  .number('Price is required')
  .check(
    z.gte(0, 'At least $0'),
    z.lte(999_999, 'At most $999,999'),
    z.multipleOf(0.01, 'Enter dollars with at most two decimals, such as 12.50'),
  )

/**
 * A price of shipping. Rates with one name are one option for the buyer; the rate with the most specific place and the
 * lowest sufficient weight applies. Amounts in dollars.
 */
export const EditedShippingRate = z.object({
  name: requiredLine(60, 'Name is required'),
  /** Shown below the name, such as `3–5 business days`. */
  note: z.optional(line(200)),
  /** Empty: everywhere. */
  places: z.array(editedPlace).check(z.maxLength(maxPlaces, `At most ${maxPlaces} places`)),
  /** Grams. Absent: any weight. */
  maxWeight: z.optional(weight),
  price: anyPrice,
  /** The rate is free if the goods cost at least this. */
  freeFrom: z.optional(price('Amount is required')),
  /** The buyer collects the order at this place. */
  pickupPlace: z.optional(editedPickupPlace),
  /** Rates with lower numbers come first. */
  position: wholeNumber('Position is required').check(z.gte(0, 'At least 0'), z.lte(1000, 'At most 1000')),
  revision: editedRevision,
})
export type EditedShippingRate = z.infer<typeof EditedShippingRate>

export const ShippingRateId = z.object({ id })
/** The browser names a new rate, so that a repeated request adds one. */
export const EditedShippingRateId = z.object({ id: newRowId })

/** `revision` changes with each saved change. */
export const ShippingRate = z.extend(EditedShippingRate, {
  places: z.array(place),
  pickupPlace: z.optional(pickupPlace),
  id: z.string(),
  revision: z.string(),
})
export type ShippingRate = z.infer<typeof ShippingRate>

/** An option of the buyer. `price` in dollars; `pickup`: the buyer collects the order. */
export const ShippingOption = z.object({
  name: z.string(),
  note: z.string(),
  price: z.number(),
  pickup: z.boolean(),
})
export type ShippingOption = z.infer<typeof ShippingOption>
