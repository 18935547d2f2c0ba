/**
 * The columns of a product file, by the names in its first row. `id` and `sku` find the product that a row is about.
 * `quantity_exported` is the stock as it was when the file was made: with it, `quantity` moves the stock by the difference.
 */
export const productColumns = [
  'id',
  'sku',
  'name',
  'brand',
  'kind',
  'category',
  'price',
  'quantity',
  'quantity_exported',
  'minimum',
  'description',
  'image',
  'supplier',
  'gtin',
] as const
export type ProductColumn = (typeof productColumns)[number]

/** What browsers call a CSV file, Windows' among them. */
export const productFileTypes = [
  'text/csv',
  'text/plain',
  'application/vnd.ms-excel',
  'application/octet-stream',
]
export const mostProductFileBytes = 100_000_000

/** How many of a file's errors, and of the changes that it would make, are listed. */
export const mostListedErrors = 1000
export const mostListedChanges = 20
