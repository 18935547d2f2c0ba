import * as z from 'zod/mini'
import { AttributeFacet, AttributeValuesByName, attributeChoice, ProductAttribute } from './attributes.ts'
import { bikeId } from './bikes.ts'
import {
  gtin,
  id,
  line,
  paging,
  partNumber,
  pieces,
  price,
  requiredImageUrl,
  requiredLine,
  requiredLines,
  sortBy,
  wholeNumber,
} from './fields.ts'
import { fitKinds } from './fit-answer.ts'
import { ReplacedProduct, Replacement } from './fitments.ts'
import { Certificate, Manufacturer, SizeChart } from './gear.ts'
import { PartNumber } from './part-numbers.ts'
import { type EditableColumnName, editableColumns, type ProductColumnName } from './product-columns.ts'
import { type FacetName, facetNames, facets, fitChoices, maxChosenValues } from './product-filters.ts'
import { GalleryPicture } from './product-pictures.ts'

export const categories = ['Local', 'Imported'] as const

/**
 * The choices that a product offers. `none`: nothing to choose; `standard`: the usual sizes and colours, which only
 * become a note of the order; `variants`: its own sizes and colours with their own stock.
 */
export const productOptions = ['none', 'standard', 'variants'] as const

/** A size or colour of a product. `price` is in dollars, `quantity` the stock, `weight` in grams, `swatch` as #rrggbb. */
export const Variant = z.object({
  id: z.string(),
  size: z.optional(z.string()),
  colour: z.optional(z.string()),
  swatch: z.optional(z.string()),
  sku: z.optional(z.string()),
  gtin: z.optional(z.string()),
  price: z.number(),
  /** Without it, the variant has the picture of the product. */
  image: z.optional(z.string()),
  weight: z.optional(z.int()),
  quantity: z.int(),
})
export type Variant = z.infer<typeof Variant>

/** A product in API responses. `price` is in dollars, `quantity` is the stock, `minimum` the minimum order. */
export const Product = z.object({
  _id: z.string(),
  name: z.string(),
  image: z.string(),
  description: z.string(),
  category: z.optional(z.enum(categories)),
  minimum: z.int(),
  quantity: z.int(),
  price: z.number(),
  supplier: z.optional(z.string()),
  /** Special terms of returns. */
  returns: z.optional(z.string()),
  brand: z.optional(z.string()),
  /** The kind of part, such as `Brake pads`. */
  kind: z.optional(z.string()),
  /** The part number as printed. */
  sku: z.optional(z.string()),
  gtin: z.optional(z.string()),
  options: z.enum(productOptions),
  /** Some variants cost more than `price`. */
  from: z.optional(z.boolean()),
  /** In the order of display. Not in lists. */
  variants: z.optional(z.array(Variant)),
  /** How it depends on the bike. */
  fitKind: z.optional(z.enum(fitKinds)),
  /** How the product is related to the searched part number, such as `Replaces Honda 45251-MEE-006`. Only in lists. */
  matchedNumber: z.optional(z.string()),
  /** All pictures, if there are several or the only one has a text or a colour. The first is `image`. Not in lists. */
  pictures: z.optional(z.array(GalleryPicture)),
  /** In the order of its kind. Not in lists, like all below. */
  attributes: z.optional(z.array(ProductAttribute)),
  /** The safety certificates of gear. */
  certificates: z.optional(z.array(Certificate)),
  /** The size chart of the product's brand and kind. */
  sizeChart: z.optional(SizeChart),
  /** The manufacturer that the product's brand names. */
  manufacturer: z.optional(Manufacturer),
  /** The numbers of other makers, and old ones. */
  partNumbers: z.optional(z.array(PartNumber)),
  /** The product at the end of its chain of replacements. */
  replacedBy: z.optional(Replacement),
  /** The products that it replaces directly: the first ones. */
  replaces: z.optional(z.array(ReplacedProduct)),
} satisfies Record<'_id' | ProductColumnName, z.ZodMiniType> & Record<string, z.ZodMiniType>)
export type Product = z.infer<typeof Product>

export const productSorts = ['name', 'price', 'quantity', 'minimum', 'category', 'created'] as const
/** The chosen values of a facet, whose parameter may be repeated. Sorts them and removes duplicates. */
const chosenValues = <Value extends string>(value: z.ZodMiniType<Value>, multiple: boolean) =>
  z.optional(
    z.pipe(
      multiple ? z.union([value, z.array(value).check(z.maxLength(maxChosenValues))]) : value,
      z.transform((chosen) => [...new Set([chosen].flat())].filter((one) => one !== '').toSorted()),
    ),
  )

const chosen = Object.fromEntries(
  facets.map((facet) => [
    facet.name,
    chosenValues('values' in facet ? z.enum(facet.values) : line(80), facet.multiple),
  ]),
) as Record<FacetName, ReturnType<typeof chosenValues<string>>>

/**
 * Filters, order and page of a product list. `q` is searched in name, brand, kind, category, supplier and part number.
 * Without `sort` a search lists the best match first, and any other list the oldest product.
 */
export const ProductQuery = z.object({
  ...paging,
  q: z.optional(line(500)),
  sort: sortBy(productSorts),
  ...chosen,
  /** Needs one chosen kind, which defines the attributes. */
  attribute: chosenValues(attributeChoice, true),
  bike: z.optional(bikeId),
  fit: chosenValues(z.enum(fitChoices), true),
  plain: z.optional(z.literal('true')),
})
export type ProductQuery = z.infer<typeof ProductQuery>

/** The values of one facet, counted with the choices of all other facets. */
const FacetValues = z.object({
  values: z.array(z.object({ value: z.string(), count: z.int() })),
  /** The counts are estimates. */
  estimated: z.boolean(),
})
const facetShape = Object.fromEntries(facetNames.map((name) => [name, FacetValues])) as Record<
  FacetName,
  typeof FacetValues
>

const Count = z.object({ count: z.int(), estimated: z.boolean() })

/** Products by their fit for a bike, counted with the choices of all facets. `unconfirmed`: the shop does not know. */
const FitCounts = z.object({ fits: Count, some: Count, universal: Count, unconfirmed: Count })
export type FitCounts = z.infer<typeof FitCounts>

/** Facet values with their counts. `total` counts the products that match all choices. */
export const ProductFacets = z.object({
  total: z.int(),
  estimated: z.boolean(),
  /** The corrected words that were searched, if the typed ones match nothing. */
  searchedFor: z.optional(z.string()),
  facets: z.object(facetShape),
  /** Only with one chosen kind, in its order. */
  attributes: z.optional(z.array(AttributeFacet)),
  /** Only with a bike. */
  fit: z.optional(FitCounts),
})
export type ProductFacets = z.infer<typeof ProductFacets>

export const ProductId = z.object({ id })

/** The specified form and call accept only whole dollars. */
export const NewProduct = z.object({
  name: requiredLine(200, 'Name is required'),
  category: z.optional(z.enum(categories)),
  price: wholeNumber('Price is required').check(z.gte(1, 'At least $1'), z.lte(999_999, 'At most $999,999')),
  quantity: wholeNumber('Quantity is required').check(
    z.gte(0, 'At least 0'),
    z.lte(1_000_000, 'At most 1,000,000'),
  ),
  minimum: wholeNumber('Minimum is required').check(
    z.gte(1, 'At least 1'),
    z.lte(1_000_000, 'At most 1,000,000'),
  ),
  description: requiredLines(4000, 'Description is required'),
  image: requiredImageUrl('Image is required'),
  supplier: z.optional(line(120)),
  returns: z.optional(line(200)),
  brand: z.optional(line(80)),
  kind: z.optional(line(80)),
  sku: z.optional(partNumber),
  gtin: z.optional(gtin),
} satisfies Record<ProductColumnName, z.ZodMiniType>)
export type NewProduct = z.infer<typeof NewProduct>

/**
 * All fields except the stock, which has its own call. The price may have cents. Missing `returns` keeps the stored note,
 * because pages and clients of version 1.0.0 do not send it; blank clears it.
 */
export const EditedProduct = z.extend(z.omit(NewProduct, { quantity: true }), {
  price: price('Price is required'),
})
export type EditedProduct = z.infer<typeof EditedProduct>

/** A product as an admin edits it: without its stock, and without a part number if its variants have their own. */
export const EditableProduct = z.extend(
  z.pick(
    Product,
    Object.fromEntries(editableColumns.map(({ name }) => [name, true])) as Record<EditableColumnName, true>,
  ),
  {
    certificates: z.array(Certificate),
    attributes: AttributeValuesByName,
    pictures: z.array(GalleryPicture),
  },
)
export type EditableProduct = z.infer<typeof EditableProduct>

/** Sets the stock to `quantity`, or adds `delta` if it is given. Without `variantId`: of all variants together. */
export const StockChange = z.object({
  quantity: pieces('Quantity is required'),
  delta: z.optional(pieces('Quantity is required')),
  variantId: z.optional(id),
})
export type StockChange = z.infer<typeof StockChange>

/** `quantity` is the stock after the change. */
export const StockChanged = z.object({
  acknowledged: z.literal(true),
  modifiedCount: z.int(),
  quantity: z.int(),
})
