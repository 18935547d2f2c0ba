import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ImportChange, ImportError, ProductImport } from '../contract/imports.ts'
import type { Json, NullableTimestamp, Timestamp } from './column-types.ts'

export interface ProductsTable {
  id: string
  name: string
  description: string
  image: string
  category: 'Local' | 'Imported' | null
  supplier: string | null
  brand: Generated<string | null>
  kind: Generated<string | null>
  sku: Generated<string | null>
  /** The part number in capitals, without dashes and spaces. */
  sku_key: GeneratedAlways<string | null>
  gtin: Generated<string | null>
  /** The search words, a `tsvector`. */
  document: GeneratedAlways<string>
  /** The filter terms, such as `brand:Grauwerk`. */
  terms: GeneratedAlways<string>
  minimum_quantity: number
  stock: number
  price_cents: number
  created_at: Timestamp
  deleted_at: NullableTimestamp
}

/** The values of the changed columns by column name. */
export type ChangedColumns = Record<string, string | number | null>

/** Written by a trigger of `products`. */
export interface ProductChangesTable {
  id: Generated<number>
  product_id: string
  kind: 'added' | 'edited' | 'deleted'
  before: ColumnType<ChangedColumns, never, never>
  after: ColumnType<ChangedColumns, never, never>
  actor_id: string | null
  client_ip: string | null
  occurred_at: Timestamp
}

/** Written by triggers on the products; see the migration. */
export interface SitemapEntriesTable {
  product_id: string
  sequence: GeneratedAlways<number>
  is_listed: Generated<boolean>
  changed_at: Timestamp
}

export interface PicturesTable {
  hash: string
  widest: number
  uploaded_by: string | null
  uploaded_at: Timestamp
}

export interface PictureFilesTable {
  hash: string
  width: number
  format: 'avif' | 'webp' | 'jpeg'
  content: Buffer
}

export interface ProductImportsTable {
  id: string
  file_name: string
  state: ProductImport['state']
  failure: string | null
  columns: Generated<string[]>
  rows: Generated<number>
  done: Generated<number>
  added: Generated<number>
  changed: Generated<number>
  unchanged: Generated<number>
  error_count: Generated<number>
  errors: Json<ImportError[]>
  changes: Json<ImportChange[]>
  started_by: string | null
  started_at: Timestamp
}
