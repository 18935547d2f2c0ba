import { type ProductColumnName, productColumns } from './product-columns.ts'

export type ProductFileColumn = 'id' | ProductColumnName | 'quantity_exported'

/**
 * The columns of a product file, by the names in its first row. `id` and `sku` identify the product of a row.
 * `quantity_exported` is the stock at the time of the export: with it, `quantity` changes the stock by the difference.
 */
export const productFileColumns: ProductFileColumn[] = [
  'id',
  ...productColumns.flatMap(({ name }) =>
    name === 'quantity' ? [name, 'quantity_exported' as const] : name,
  ),
]

/** Content types that browsers send for a CSV file, on Windows too. */
export const productFileTypes = [
  'text/csv',
  'text/plain',
  'application/vnd.ms-excel',
  'application/octet-stream',
]
export const maxProductFileBytes = 100_000_000

/** An import lists at most this many errors and changes. */
export const maxListedErrors = 1000
export const maxListedChanges = 20
