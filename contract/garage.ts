import * as z from 'zod/mini'
import { Bike, bikeId } from './bikes.ts'
import { integer } from './fields.ts'
import { maxGarageBikes } from './limits.ts'

export const GarageBikeId = z.object({ bikeId })

/** The ids that bikes can have. The shop does not have most of them. */
const anyId = integer('This is not a bike')

/**
 * `current`: whether it becomes the current bike, or stops being it. Absent: no change. `replaces`: a bike of the garage
 * that the added one replaces.
 */
export const GarageBike = z.object({ current: z.optional(z.boolean()), replaces: z.optional(anyId) })
export type GarageBike = z.infer<typeof GarageBike>

/** The bikes of a customer, in the order in which they were added. `current` is the id of one of them, or null. */
export const Garage = z.object({ bikes: z.array(Bike), current: z.nullable(z.int()) })
export type Garage = z.infer<typeof Garage>

/** The garage of a guest. Unknown bikes are ignored. */
export const GuestGarage = z.object({
  bikes: z.array(anyId).check(z.maxLength(maxGarageBikes, `At most ${maxGarageBikes} bikes`)),
  current: z.nullable(anyId),
})
export type GuestGarage = z.infer<typeof GuestGarage>

/** `notAdded`: the bikes for which the garage had no room. */
export const MergedGarage = z.object({ ...Garage.shape, notAdded: z.array(Bike) })
export type MergedGarage = z.infer<typeof MergedGarage>
