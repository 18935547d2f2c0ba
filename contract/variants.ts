import * as z from 'zod/mini'
import { productOptions, Variant } from './catalog.ts'
import { gtin, id, imageUrl, line, partNumber, price, wholeNumber } from './fields.ts'
import { maxOptionLength, maxQuantity } from './limits.ts'
import type { ProductColumn } from './product-columns.ts'

export const maxVariants = 200

/** A weight in grams. */
export const weight = wholeNumber('Weight is required').check(
  z.gte(1, 'At least 1 g'),
  z.lte(1_000_000, 'At most 1,000,000 g'),
)

/** Where the variant is stored, such as `B-12-3`. */
const shelf = line(20)

/** The stock at which the variant is ordered again. Missing: its stock is not watched. */
export const lowStock = wholeNumber('Enter a whole number').check(
  z.gte(0, 'At least 0'),
  z.lte(maxQuantity, 'At most 1,000,000'),
)

/** A colour on screens. */
export const swatch = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.regex(/^(#[0-9a-f]{6})?$/, 'Enter a colour such as #1d3f8f'))

/**
 * A variant to save. Without `id` it is the variant with this size and colour, or a new one. Without `price` (in
 * dollars) or `image` it has the product's. Missing `shelf` and `lowStock` keep the stored values, because pages and
 * clients of version 1.0.0 do not send them; a blank `shelf` and null clear them.
 */
export const EditedVariant = z.object({
  id: z.optional(id),
  size: z.optional(line(maxOptionLength)),
  colour: z.optional(line(maxOptionLength)),
  swatch: z.optional(swatch),
  sku: z.optional(partNumber),
  gtin: z.optional(gtin),
  price: z.optional(price('Price is required')),
  image: z.optional(imageUrl),
  weight: z.optional(weight),
  shelf: z.optional(shelf),
  lowStock: z.optional(z.nullable(lowStock)),
})
export type EditedVariant = z.infer<typeof EditedVariant>

/** All variants of a product in the order of display. A variant that is not listed is removed. */
export const EditedVariants = z.object({
  options: z.enum(productOptions),
  variants: z
    .array(EditedVariant)
    .check(
      z.minLength(1, 'At least one variant'),
      z.maxLength(maxVariants, `At most ${maxVariants} variants`),
    ),
})
export type EditedVariants = z.infer<typeof EditedVariants>

/** A variant as an admin edits it. Without `price`, it has the product's; `removed` variants are not for sale. */
const ListedVariant = z.extend(Variant, {
  price: z.optional(z.number()),
  shelf: z.optional(z.string()),
  lowStock: z.optional(z.int()),
  removed: z.optional(z.literal(true)),
})
export type ListedVariant = z.infer<typeof ListedVariant>

/** The variants of a product, then the removed ones that still have stock. */
export const VariantList = z.object({ options: z.enum(productOptions), variants: z.array(ListedVariant) })
export type VariantList = z.infer<typeof VariantList>

/** The columns of files that a public product does not have in this form. Most are of its variants. */
export const variantColumns = [
  { name: 'options', sql: 'options', label: 'Options', type: 'text' },
  { name: 'size', sql: 'size', label: 'Size', type: 'text', isOfVariant: true },
  { name: 'colour', sql: 'colour', label: 'Colour', type: 'text', isOfVariant: true },
  { name: 'swatch', sql: 'swatch', label: 'Swatch', type: 'text', isOfVariant: true },
  { name: 'weight', sql: 'weight_grams', label: 'Weight', type: 'integer', isOfVariant: true },
  // Only for admins: no public response has them.
  { name: 'shelf', sql: 'shelf', label: 'Shelf', type: 'text', isOfVariant: true },
  { name: 'low_stock', sql: 'low_stock', label: 'Low stock', type: 'integer', isOfVariant: true },
  { name: 'hidden', sql: 'hidden', label: 'Hidden', type: 'boolean' },
] as const satisfies ProductColumn[]
export type VariantColumnName = (typeof variantColumns)[number]['name']
