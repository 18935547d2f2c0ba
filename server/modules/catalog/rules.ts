import type { Product } from '../../../contract/catalog.ts'
import { listColours } from '../../../contract/choice.ts'
import { formatCents, toCents } from '../../../contract/money.ts'
import type { EditedPictures } from '../../../contract/product-pictures.ts'
import type { EditedVariant, EditedVariants } from '../../../contract/variants.ts'

/** The largest `integer` of Postgres. */
export const maxInteger = 2_147_483_647

/**
 * Splits a change of the stock among variants: the first one gets an increase, and a decrease takes what each one has,
 * in their order.
 *
 * @param difference not more below zero than their stock
 */
export function splitStockChange(
  variants: { id: string; stock: number }[],
  difference: number,
): { id: string; difference: number }[] {
  if (difference > 0) return variants.slice(0, 1).map(({ id }) => ({ id, difference }))
  const moves: { id: string; difference: number }[] = []
  let missing = -difference
  for (const { id, stock } of variants) {
    const taken = Math.min(stock, missing)
    if (taken > 0) moves.push({ id, difference: -taken })
    missing -= taken
  }
  return moves
}

/** The product of variants, with prices in cents. */
interface VariedProduct {
  id: string
  price_cents: number
  minimum_quantity: number
}

/** Error messages by field. */
type FieldErrors = Record<string, string>

/**
 * Checks the rules for the variants of a product: without own options exactly the first one, without a choice; with
 * own options a size or a colour for each, and both if any variant has both, because a link selects by the values
 * that all variants have. The price of the product is the lowest one.
 */
export function checkVariants(product: VariedProduct, { options, variants }: EditedVariants): FieldErrors {
  if (options !== 'variants') return checkOnlyVariant(product, variants)
  const fields: FieldErrors = {}
  const ids = new Set<string>()
  if (product.minimum_quantity !== 1) {
    fields.options = 'Sizes and colours need a minimum order of 1. Change the minimum first.'
  }
  if (variants.every(({ price }) => price !== undefined)) {
    fields.variants = 'Leave at least one price empty: it is the price of the product.'
  }
  const hasSizes = variants.some(({ size }) => size)
  const hasColours = variants.some(({ colour }) => colour)
  for (const [index, { id, size, colour, price }] of variants.entries()) {
    if (!size && !colour) fields[`variants.${index}.size`] = 'Enter a size or a colour'
    else if (hasSizes && !size) fields[`variants.${index}.size`] = 'Enter a size, as for the other variants'
    else if (hasColours && !colour)
      fields[`variants.${index}.colour`] = 'Enter a colour, as for the other variants'
    if (price !== undefined && toCents(price) < product.price_cents) {
      fields[`variants.${index}.price`] =
        `At least the price of the product, ${formatCents(product.price_cents)}`
    }
    if (id !== undefined && ids.has(id)) fields[`variants.${index}.id`] = 'This variant is listed twice'
    if (id !== undefined) ids.add(id)
  }
  return fields
}

function checkOnlyVariant(product: VariedProduct, variants: EditedVariant[]): FieldErrors {
  if (variants.length > 1) return { variants: 'Only own sizes and colours can have several variants' }
  const fields: FieldErrors = {}
  for (const name of ['size', 'colour', 'swatch', 'price', 'image'] as const) {
    if (variants[0]?.[name]) fields[`variants.0.${name}`] = 'Only for own sizes and colours'
  }
  if ((variants[0]?.id ?? product.id) !== product.id) {
    fields['variants.0.id'] = 'The only variant is the first one, with the id of the product'
  }
  return fields
}

/** Checks the rules that an edited product with own sizes and colours must keep. */
export function checkEditedProduct(
  product: { price_cents: number; minimum_quantity: number; sku: string | null; gtin: string | null },
  variants: { price_cents: number | null }[],
): FieldErrors {
  const fields: FieldErrors = {}
  const lowest = Math.min(...variants.map(({ price_cents }) => price_cents ?? product.price_cents))
  if (lowest < product.price_cents) {
    fields.price = `A size or colour costs ${formatCents(lowest)}. Change its price first.`
  }
  if (product.minimum_quantity !== 1) {
    fields.minimum = 'A product with sizes and colours has a minimum order of 1'
  }
  for (const name of ['sku', 'gtin'] as const) {
    if (product[name] !== null) fields[name] = 'Each size or colour has its own number'
  }
  return fields
}

/** Checks that a product is sold in the colours of its pictures. */
export function checkPictures(
  options: Product['options'],
  variants: { colour: string | null }[],
  pictures: EditedPictures['pictures'],
): FieldErrors {
  const own = variants.map(({ colour }) => ({ colour: colour ?? undefined }))
  const colours = listColours({ options, variants: own })
  const errors = pictures.flatMap(({ colour }, index) =>
    colour && !colours.includes(colour)
      ? [[`pictures.${index}.colour`, 'The product is not sold in this colour']]
      : [],
  )
  return Object.fromEntries(errors)
}

/** Returns the index of the first value that an earlier one equals, or -1. Ignores values that are null. */
export const findDuplicate = (values: (string | null)[]): number =>
  values.findIndex((value, index) => value !== null && values.indexOf(value) < index)

/** The size and colour of a variant as one key. */
export const toChoice = ({ size, colour }: { size?: string | null; colour?: string | null }): string =>
  JSON.stringify([size || null, colour || null])

interface Coloured {
  id: string
  colour: string | null
}

/**
 * Returns the new name of each colour that a save renames. All of its variants that stay have the new name, and no
 * variant of another colour has it or had it, except one that is renamed too.
 */
export function findRenamedColours(before: Coloured[], after: Coloured[]): Map<string, string> {
  const earlier = new Map(before.map(({ id, colour }) => [id, colour]))
  const renamed = new Map<string, string>()
  for (const from of new Set(before.flatMap(({ colour }) => colour ?? []))) {
    const [to, ...others] = new Set(
      after.filter(({ id }) => earlier.get(id) === from).map(({ colour }) => colour),
    )
    const isMerged = after.some(({ id, colour }) => colour === to && (earlier.get(id) ?? from) !== from)
    if (to && to !== from && others.length === 0 && !isMerged) renamed.set(from, to)
  }
  const colours = new Set(before.map(({ colour }) => colour))
  const findTaken = () => [...renamed].find(([, to]) => colours.has(to) && !renamed.has(to))
  for (let taken = findTaken(); taken; taken = findTaken()) renamed.delete(taken[0])
  return renamed
}

interface Choice {
  id: string
  size: string | null
  colour: string | null
}

/**
 * Returns the stored variant of each edited one: the one with its id, else the one with its size and colour, else none.
 *
 * @param stored the removed ones last
 */
export function matchVariants<Stored extends Choice>(
  stored: Stored[],
  edited: EditedVariant[],
): (Stored | undefined)[] {
  const claimed = new Set(edited.map(({ id }) => id))
  return edited.map((variant) => {
    if (variant.id !== undefined) return stored.find(({ id }) => id === variant.id)
    const match = stored.find((each) => !claimed.has(each.id) && toChoice(each) === toChoice(variant))
    if (match) claimed.add(match.id)
    return match
  })
}
