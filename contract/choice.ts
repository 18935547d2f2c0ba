import type { CartLine } from './cart.ts'
import type { Product, Variant } from './catalog.ts'
import { type Choice, choiceNames } from './choice-urls.ts'
import { isAvailable } from './product.ts'

/** The usual sizes of products with `standard` options. */
export const sizes = ['SM', 'M', 'L', 'XL'] as const
/** The usual colours of products with `standard` options, with the colour on screens. */
export const swatches = { Black: '#15171b', White: '#ffffff', Red: '#c8261b', Blue: '#1d5fa8' } as const
export const colours = Object.keys(swatches) as (keyof typeof swatches)[]

/** Returns the choice of a product with standard options. Unknown values are ignored. */
export const toStandardChoice = ({ size, colour }: Choice): Choice => ({
  size: find(sizes, size),
  colour: find(colours, colour),
})

/** A size or a colour of a product. */
export interface ChoiceValue {
  value: string
  swatch?: string | undefined
  isChosen: boolean
  /** Together with the other choice: in stock, out of stock, or not sold in this combination. */
  availability: 'inStock' | 'outOfStock' | 'notOffered'
  /** The choice after this value is chosen. */
  choice: Choice
}

/** A product with the choice of a buyer. */
export interface ChosenProduct extends Choice {
  /** The product with price, stock, picture, part number and GTIN of the chosen variant, or of all that match. */
  product: Product
  /** The variant to order. Missing if a choice is missing, or if the product is not sold in this combination. */
  variant?: Variant | undefined
  /** The choices that the buyer still has to make. */
  missing: (typeof choiceNames)[number][]
  /** The choices that the buyer has, in the order of display. */
  values: Record<(typeof choiceNames)[number], ChoiceValue[]>
}

/**
 * Applies a choice to a product with its variants. Unknown values are ignored, and nothing is preselected where there is
 * a choice. Products with `standard` options have one variant.
 */
export function applyChoice(product: Product, wanted: Choice): ChosenProduct {
  return product.options === 'variants' ? chooseVariant(product, wanted) : chooseStandard(product, wanted)
}

/** The part of a product that says what can be chosen. */
interface Options extends Pick<Product, 'options'> {
  variants?: Choice[] | undefined
}

/** The sizes and colours of a product. */
function listOffered({ options, variants = [] }: Options): Record<keyof Choice, readonly string[]> {
  if (options === 'none') return { size: [], colour: [] }
  if (options === 'standard') return { size: sizes, colour: colours }
  return { size: findValues(variants, 'size'), colour: findValues(variants, 'colour') }
}

/** The colours that a product is sold in. */
export const listColours = (product: Options): readonly string[] => listOffered(product).colour

/** Returns the choice without values that the product does not have. */
export function toKnownChoice(product: Product, { size, colour }: Choice): Choice {
  const offered = listOffered(product)
  return { size: find(offered.size, size), colour: find(offered.colour, colour) }
}

function chooseStandard(product: Product, wanted: Choice): ChosenProduct {
  const offered = listOffered(product)
  const chosen = toKnownChoice(product, wanted)
  const toValues = (name: keyof typeof offered): ChoiceValue[] =>
    offered[name].map((value) => {
      const isChosen = value === chosen[name]
      return {
        value,
        swatch: name === 'colour' ? swatches[value as keyof typeof swatches] : undefined,
        isChosen,
        availability: 'inStock',
        // Nothing is preselected: choosing the same value again clears it.
        choice: { ...chosen, [name]: isChosen ? undefined : value },
      }
    })
  return {
    ...chosen,
    product,
    variant: product.variants?.[0],
    missing: product.options === 'standard' ? choiceNames.filter((name) => chosen[name] === undefined) : [],
    values: { size: toValues('size'), colour: toValues('colour') },
  }
}

function chooseVariant(product: Product, wanted: Choice): ChosenProduct {
  const { variants = [], minimum } = product
  const isInStock = ({ quantity }: Variant) => isAvailable(quantity, minimum)
  const offered = listOffered(product)
  const { size, colour } = toKnownChoice(product, wanted)
  const matching = variants.filter((each) => matches(each, { size, colour }))
  // A single value needs no choice.
  const isOpen = (name: keyof Choice) =>
    offered[name].length > 1 && variants.every((each) => each[name] !== undefined)
  const missing = choiceNames.filter((name) => !{ size, colour }[name] && isOpen(name))
  const variant = missing.length > 0 ? undefined : (matching.find(isInStock) ?? matching[0])
  const chosen: Choice = variant ? { size: variant.size, colour: variant.colour } : { size, colour }

  const toValues = (name: keyof typeof offered): ChoiceValue[] =>
    offered[name].map((value) => {
      const choice = { ...chosen, [name]: value }
      const same = variants.filter((each) => matches(each, choice))
      return {
        value,
        swatch: name === 'colour' ? variants.find((each) => each.colour === value)?.swatch : undefined,
        isChosen: value === chosen[name],
        availability: same.some(isInStock) ? 'inStock' : same.length > 0 ? 'outOfStock' : 'notOffered',
        choice,
      }
    })
  const open = missing.length > 0 ? matching : []
  const { price, image, quantity, sku, gtin } = variant ?? {
    ...product,
    image: colour && open.find((each) => each.image)?.image,
    quantity: open.reduce((sum, each) => sum + each.quantity, 0),
  }
  return {
    ...chosen,
    missing,
    product: {
      ...product,
      from: variant ? undefined : product.from,
      price,
      image: image ?? product.image,
      quantity,
      sku,
      gtin,
    },
    variant,
    values: { size: toValues('size'), colour: toValues('colour') },
  }
}

const matches = (variant: Variant, { size, colour }: Choice): boolean =>
  (size === undefined || variant.size === size) && (colour === undefined || variant.colour === colour)

const findValues = (variants: Choice[], name: keyof Choice): string[] => [
  ...new Set(variants.flatMap((variant) => variant[name] ?? [])),
]

/** Returns the value if it is one of those that are known. */
export const find = <Value extends string>(values: readonly Value[], wanted: string | undefined) =>
  values.find((value) => value === wanted)

/** Stock at and below this number is shown as scarce. */
const maxScarceStock = 5

/** The reason why the chosen variant cannot be bought; null if it can. Only for products with variants of their own. */
export function explainUnavailable({
  product,
  variant,
  missing,
  size,
  colour,
}: ChosenProduct): string | null {
  if (product.options !== 'variants' || isAvailable(product.quantity, product.minimum)) return null
  const choice = [size, colour].filter((value) => value !== undefined).join(', ')
  const reason = variant || missing.length > 0 ? 'Out of stock' : 'Not available'
  return choice ? `${reason} in ${choice}.` : `${reason}.`
}

/** A sentence about the availability of the chosen variant, or null if it can be bought and is not scarce. */
export function describeAvailability(chosen: ChosenProduct): string | null {
  const { options, quantity } = chosen.product
  const isScarce = options === 'variants' && quantity <= maxScarceStock
  return explainUnavailable(chosen) ?? (isScarce ? `Only ${quantity} left.` : null)
}

/** The line of a cart for a choice. Null if the product is not sold in this combination. */
export const toCartLine = (
  { product: { price: unitPrice }, variant, size, colour }: ChosenProduct,
  quantity: number,
): CartLine | null => (variant ? { variantId: variant.id, quantity, unitPrice, size, colour } : null)
