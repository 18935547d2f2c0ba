import type { EditedProduct, Product } from '../../../contract/catalog.ts'
import { toCents, toDollars } from '../../../contract/money.ts'
import { editableColumns, productColumns } from '../../../contract/product-columns.ts'
import type * as repository from './repository.ts'

/** Converts a row of `products` to the names and units of the API. */
export function presentProduct(row: repository.Product): Product {
  const product: Record<string, unknown> = { _id: row.id }
  for (const { name, sql, type } of productColumns) {
    const value = row[sql]
    product[name] = type === 'cents' ? toDollars(row[sql]) : (value ?? undefined)
  }
  return product as Product
}

/** Converts an edited product to the columns of `products`. Blank text becomes null. */
export function toProductRow(product: EditedProduct): Omit<repository.NewProduct, 'id' | 'stock'> {
  const row: Record<string, unknown> = {}
  for (const { name, sql, type } of editableColumns) {
    const value = product[name]
    row[sql] = type === 'cents' ? toCents(product[name]) : value === '' ? null : (value ?? null)
  }
  return row as Omit<repository.NewProduct, 'id' | 'stock'>
}
