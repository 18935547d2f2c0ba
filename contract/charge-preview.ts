import * as z from 'zod/mini'
import { price } from './fields.ts'
import { previewedPlace } from './places.ts'
import { Quote } from './quote.ts'
import { weight } from './variants.ts'

/** An invented order: `goods` in dollars, `weight` in grams; `place`: a country, perhaps with a region and a postal code. */
export const ChargePreviewRequest = z.object({
  goods: price('Amount is required'),
  weight: z.optional(weight),
  place: previewedPlace,
})
export type ChargePreviewRequest = z.infer<typeof ChargePreviewRequest>

/** The charges of this order by the cheapest option, with all options. */
export const ChargePreview = z.pick(Quote, {
  charges: true,
  total: true,
  shippingOptions: true,
  problems: true,
})
export type ChargePreview = z.infer<typeof ChargePreview>
