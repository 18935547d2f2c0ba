import * as z from 'zod/mini'
import { Bike, bikeId } from './bikes.ts'
import { id } from './fields.ts'
import { fitAnswers, orderLineFits } from './fit-answer.ts'
import { Fitment, Replacement } from './fitments.ts'

/** The products of one request. A URL has at most 50 parameters. */
const maxFitsPerCall = 40

export const FitsQuery = z.object({
  bike: bikeId,
  /** May be repeated. */
  product: z.pipe(
    z.union([id, z.array(id).check(z.maxLength(maxFitsPerCall, `At most ${maxFitsPerCall} products`))]),
    z.transform((products) => [...new Set([products].flat())].toSorted()),
  ),
})

/** True for a product without a kind and fitments: nothing says that its fit depends on a bike, so no question is asked. */
const needsNoBike = z.optional(z.literal(true))

/** Whether the products fit. Unknown products are left out. */
export const Fits = z.object({
  fits: z.array(z.object({ product: z.string(), answer: z.enum(fitAnswers), needsNoBike })),
})
export type Fits = z.infer<typeof Fits>

export const FitQuery = z.object({ product: id, bike: bikeId })

/** Whether the product of a line fits its bike. `position`: such as `front`. Gear has none. */
export const LineFit = z.object({
  bike: z.object({ id: z.int(), name: z.string() }),
  answer: z.enum(orderLineFits),
  position: z.optional(z.string()),
})
export type LineFit = z.infer<typeof LineFit>

/** Whether a product fits a bike. */
export const FitResult = z.object({
  answer: z.enum(fitAnswers),
  bike: Bike,
  /** The fitments that cover the bike; for `fits_some` the fitments for its other versions. */
  fitments: z.array(Fitment),
  /** The versions that the product fits, if it does not fit the bike as stated. */
  versions: z.array(z.string()),
  needsNoBike,
  replacedBy: z.optional(Replacement),
})
export type FitResult = z.infer<typeof FitResult>

/** The same for the line of a cart. */
export const CartLineFit = z.extend(
  LineFit,
  z.pick(FitResult, { bike: true, fitments: true, versions: true }).shape,
)
export type CartLineFit = z.infer<typeof CartLineFit>

/** The fitments of a product, as its page shows them. */
export interface ProductFit {
  complete: boolean
  /** One page of them. */
  fitments: Fitment[]
  total: number
  replacedBy?: Replacement | undefined
}
