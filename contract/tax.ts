import * as z from 'zod/mini'
import { editedRevision, id, newRowId, rate, requiredLine } from './fields.ts'
import { editedPlace, place } from './places.ts'

/** The tax of a place. The rate with the most specific place applies; rates do not add up. */
export const EditedTaxRate = z.object({
  place: editedPlace,
  /** Shown with the rate, such as `Sales tax (NY)`. */
  label: requiredLine(60, 'Label is required'),
  /** Per cent. */
  rate: rate('Rate is required'),
  /** Part of the prices, and not added to them. */
  included: z.boolean(),
  taxesShipping: z.boolean(),
  revision: editedRevision,
})
export type EditedTaxRate = z.infer<typeof EditedTaxRate>

export const TaxRateId = z.object({ id })
/** The browser names a new rate, so that a repeated request adds one. */
export const EditedTaxRateId = z.object({ id: newRowId })

/** `revision` changes with each saved change. */
export const TaxRate = z.extend(EditedTaxRate, { place, id: z.string(), revision: z.string() })
export type TaxRate = z.infer<typeof TaxRate>
