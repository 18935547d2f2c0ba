import type { EditableProduct, EditedProduct, Product, Variant } from '../../../contract/catalog.ts'
import type { Certificate } from '../../../contract/certificates.ts'
import { toCents, toDollars } from '../../../contract/money.ts'
import { editableColumns, productColumns } from '../../../contract/product-columns.ts'
import type { GalleryPicture } from '../../../contract/product-pictures.ts'
import type { EditedVariant, ListedVariant } from '../../../contract/variants.ts'
import type * as repository from './repository.ts'

/** A variant of a new product. Without a price or a picture, it has the product's. */
export type NewVariant = Omit<EditedVariant, 'id'> & Pick<Variant, 'quantity'>

/** Converts a row of `products` to the names and units of the API. */
export function presentProduct(row: repository.Product): Product {
  const product: Record<string, unknown> = { _id: row.id, options: row.options, fitKind: row.fit_kind }
  if (row.has_dearer_variant) product.from = true
  for (const { name, sql, type } of productColumns) {
    const value = row[sql]
    product[name] = type === 'cents' ? toDollars(row[sql]) : (value ?? undefined)
  }
  return product as Product
}

/** Converts a row of `products` to what an admin edits: without its stock. Its attributes are those that are stored. */
export function presentEditableProduct(
  row: repository.Product,
  others: { certificates: Certificate[]; pictures: GalleryPicture[] },
): EditableProduct {
  const product = presentProduct(row)
  const fields = editableColumns.map(({ name }) => [name, product[name]])
  const edited = Object.fromEntries(fields) as Omit<EditableProduct, keyof typeof others | 'attributes'>
  return { ...edited, ...others, attributes: row.attributes }
}

const presentOwnValues = (variant: repository.Variant) => ({
  id: variant.id,
  size: variant.size ?? undefined,
  colour: variant.colour ?? undefined,
  swatch: variant.swatch ?? undefined,
  sku: variant.sku ?? undefined,
  gtin: variant.gtin ?? undefined,
  image: variant.image ?? undefined,
  weight: variant.weight_grams ?? undefined,
  quantity: variant.stock,
})

/** Converts a variant of a product to the names and units of the API. */
export const presentVariant = (product: repository.Product, variant: repository.Variant): Variant => ({
  ...presentOwnValues(variant),
  price: toDollars(variant.price_cents ?? product.price_cents),
})

/** Converts a variant to what an admin edits: without the values that it has from its product. */
export const presentStoredVariant = (variant: repository.StoredVariant): ListedVariant => ({
  ...presentOwnValues(variant),
  price: variant.price_cents === null ? undefined : toDollars(variant.price_cents),
  shelf: variant.shelf ?? undefined,
  lowStock: variant.low_stock ?? undefined,
  removed: variant.removed_at ? true : undefined,
})

/**
 * Converts an edited variant to the columns of `variants`. Blank text becomes null.
 *
 * @param stored has the values of a missing `shelf` and `lowStock`
 */
export const toVariantRow = (
  { size, colour, swatch, sku, gtin, price, image, weight, shelf, lowStock }: EditedVariant,
  id: string,
  position: number,
  stored?: repository.StoredVariant,
): repository.VariantRow => ({
  id,
  position,
  size: size || null,
  colour: colour || null,
  swatch: swatch || null,
  sku: sku || null,
  gtin: gtin || null,
  price_cents: price === undefined ? null : toCents(price),
  image: image || null,
  weight_grams: weight ?? null,
  shelf: (shelf ?? stored?.shelf) || null,
  low_stock: lowStock === undefined ? (stored?.low_stock ?? null) : lowStock,
})

/** Converts an edited product to the columns of `products` and of its variant. Blank text becomes null. */
export function toProductRow(product: EditedProduct): Omit<repository.NewProduct, 'id' | 'stock'> {
  const row: Record<string, unknown> = {}
  for (const { name, sql, type } of editableColumns) {
    const value = product[name]
    row[sql] = type === 'cents' ? toCents(product[name]) : value === '' ? null : (value ?? null)
  }
  return row as Omit<repository.NewProduct, 'id' | 'stock'>
}
