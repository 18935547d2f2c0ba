/** A column of `products`, or of their first variant, that an admin sets. */
export interface ProductColumn {
  /** Name in JSON, in forms and in CSV files. */
  name: string
  /** Name in SQL. */
  sql: string
  label: string
  /** Type of the SQL column; `cents` are dollars outside the database, `boolean` is `yes` or blank in files. */
  type: 'text' | 'integer' | 'cents' | 'boolean'
  isRequired?: true
  /** A column of `variants`. The product has the value of its only variant. */
  isOfVariant?: true
  /** Set when the product is added; stock movements change it afterwards. */
  isStock?: true
  /** Listed among the details of a product if it has a value. */
  isDetail?: true
}

/** All product columns, in the order of CSV files. Add a new column here first. */
export const productColumns = [
  { name: 'sku', sql: 'sku', label: 'Part number', type: 'text', isOfVariant: true, isDetail: true },
  { name: 'name', sql: 'name', label: 'Name', type: 'text', isRequired: true },
  { name: 'brand', sql: 'brand', label: 'Brand', type: 'text', isDetail: true },
  { name: 'kind', sql: 'kind', label: 'Kind of part', type: 'text', isDetail: true },
  { name: 'category', sql: 'category', label: 'Category', type: 'text' },
  { name: 'price', sql: 'price_cents', label: 'Price', type: 'cents', isRequired: true },
  { name: 'quantity', sql: 'stock', label: 'Quantity', type: 'integer', isRequired: true, isStock: true },
  { name: 'minimum', sql: 'minimum_quantity', label: 'Minimum', type: 'integer', isRequired: true },
  { name: 'description', sql: 'description', label: 'Description', type: 'text', isRequired: true },
  { name: 'image', sql: 'image', label: 'Image', type: 'text', isRequired: true },
  { name: 'supplier', sql: 'supplier', label: 'Supplier', type: 'text', isDetail: true },
  { name: 'returns', sql: 'return_note', label: 'Returns', type: 'text', isDetail: true },
  { name: 'gtin', sql: 'gtin', label: 'GTIN', type: 'text', isOfVariant: true, isDetail: true },
] as const satisfies ProductColumn[]

type Column = (typeof productColumns)[number]
export type ProductColumnName = Column['name']
export type ProductSqlName = Column['sql']

/** The columns that an edit sets: all but the stock. */
export const editableColumns = productColumns.filter(
  (column): column is Exclude<Column, { isStock: true }> => !('isStock' in column),
)
export type EditableColumnName = (typeof editableColumns)[number]['name']
/** The columns that the details of a product list. */
export const detailColumns = productColumns.filter(
  (column): column is Extract<Column, { isDetail: true }> => 'isDetail' in column,
)
