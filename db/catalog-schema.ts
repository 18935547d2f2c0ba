import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Attribute, AttributeValues } from '../contract/attributes.ts'
import type { FitKind } from '../contract/fit-answer.ts'
import type { SizeChart } from '../contract/gear.ts'
import type {
  ErrorGroup,
  ImportChange,
  ImportError,
  ImportKind,
  ImportMode,
  ImportNote,
  ImportWarning,
  LeftOutBrand,
  OtherShopChanges,
  ProductImport,
  SkippedProduct,
  UnknownRow,
} from '../contract/imports.ts'
import type { DownloadProblem, PictureHost } from '../contract/picture-downloads.ts'
import type { GalleryPicture } from '../contract/product-pictures.ts'
import type { ColumnMapping, FileEncoding } from '../contract/supplier-files.ts'
import type { Json, NullableTimestamp, Timestamp } from './column-types.ts'

export interface ProductsTable {
  id: string
  name: string
  description: string
  image: string
  category: 'Local' | 'Imported' | null
  supplier: string | null
  return_note: Generated<string | null>
  brand: Generated<string | null>
  kind: Generated<string | null>
  /** `none` and `standard`: one variant without size and colour. */
  options: Generated<'none' | 'standard' | 'variants'>
  /** The search words, a `tsvector`. */
  document: GeneratedAlways<string>
  /** The filter terms, such as `brand:Grauwerk`. */
  terms: GeneratedAlways<string>
  minimum_quantity: number
  /** Total stock of its variants, maintained by a trigger. */
  stock: number
  price_cents: number
  fit_kind: Generated<FitKind>
  /** Whether the manufacturer names every bike that the part fits. */
  fit_complete: Generated<boolean>
  /** A newer product. */
  replaced_by: string | null
  /** Ids of the bikes that the fitments cover, written by `refresh_fits`. */
  fits: Generated<number[]>
  /** Like `fits`, for bikes without a version if the fitments cover only some of the versions. */
  fits_some: Generated<number[]>
  /** Derived from the certificates, such as `EN 17092 AA`. */
  certificate_values: Generated<string[]>
  /** The values of its attributes by name. */
  attributes: ColumnType<AttributeValues, string | undefined, string>
  created_at: Timestamp
  deleted_at: NullableTimestamp
  /** Not for sale, but its part numbers stay taken. */
  hidden: Generated<boolean>
}

export interface VariantsTable {
  id: string
  product_id: string
  position: number
  size: string | null
  colour: string | null
  /** For example `#1d3f8f`. */
  swatch: string | null
  sku: string | null
  /** The part number in capitals, without dashes and spaces. */
  sku_key: GeneratedAlways<string | null>
  gtin: string | null
  /** Null: the price of the product. */
  price_cents: number | null
  /** Null: the picture of the product. */
  image: string | null
  weight_grams: number | null
  /** Where it is stored, such as `B-12-3`. Only for staff. */
  shelf: string | null
  /** The stock at which it is ordered again. Null: not watched. Only for staff. */
  low_stock: number | null
  stock: number
  removed_at: NullableTimestamp
  created_at: Timestamp
}

export interface BrandsTable {
  name: string
  maker_name: string | null
  maker_address: string | null
  maker_contact: string | null
  eu_name: string | null
  eu_address: string | null
  eu_contact: string | null
  safety_text: string | null
}

export interface SizeChartsTable {
  id: string
  brand: string
  kind: string
  unit: SizeChart['unit']
  columns: Json<SizeChart['columns']>
  rows: Json<SizeChart['rows']>
  source: string
}

export interface KindAttributesTable {
  kind: string
  attributes: Json<Attribute[]>
}

export interface CertificatesTable {
  product_id: string
  standard: string
  class: Generated<string>
  zone: Generated<string>
  number: string | null
  document_url: string | null
}

/** The pictures of a product, see `server/modules/catalog/pictures/repository.ts`. */
export interface ProductPicturesTable {
  product_id: string
  position: number
  image: string
  alt: string | null
  colour: string | null
}

/** The values of the changed columns by column name. Certificates, pictures and size charts are lists, attributes values by name. */
export type ChangedColumns = Record<
  string,
  string | number | boolean | null | ListedValue[] | AttributeValues
>
export type ListedValue = string | SizeChart['rows'][number] | GalleryPicture

/** Written by a trigger of `products`, except for certificates and pictures. */
export interface ProductChangesTable {
  id: Generated<number>
  product_id: string
  /** Null: a change of the product itself. */
  variant_id: string | null
  kind: 'added' | 'edited' | 'deleted'
  before: ColumnType<ChangedColumns, string, never>
  after: ColumnType<ChangedColumns, string, never>
  actor_id: string | null
  client_ip: string | null
  occurred_at: Timestamp
  /** The import that made the change. */
  import_id: string | null
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
  /** When the job first found that nothing uses the picture; null if something does. */
  unused_since: NullableTimestamp
}

export interface PictureFilesTable {
  hash: string
  width: number
  format: 'avif' | 'webp' | 'jpeg'
  content: Buffer
}

/** Pictures at other addresses that are copied, see the migration. */
export interface PictureDownloadsTable {
  url: string
  product_ids: string[]
  hosts: string[]
  requested_by: string
  state: Generated<'waiting' | 'done' | 'failed'>
  /** The copy, as `uploadedImageUrl` returns it. */
  image: string | null
  reason: DownloadProblem | null
  attempts: Generated<number>
  next_attempt_at: Timestamp
}

export interface ProductImportsTable {
  id: string
  kind: Generated<ImportKind>
  file_name: string
  state: ProductImport['state']
  failure: string | null
  columns: Generated<string[]>
  rows: Generated<number>
  done: Generated<number>
  added: Generated<number>
  changed: Generated<number>
  unchanged: Generated<number>
  /** Of fitments. */
  removed: Generated<number>
  /** Models and years of fitments for which the shop has no bike. */
  years_without_bike: Generated<number>
  /** Applications of an ACES file. */
  left_out_count: Generated<number>
  left_out: Json<LeftOutBrand[]>
  error_count: Generated<number>
  errors: Json<ImportError[]>
  changes: Json<ImportChange[]>
  started_by: string | null
  started_at: Timestamp
  source: Generated<ProductImport['source']>
  undo_of: string | null
  run_by: string | null
  run_ip: string | null
  run_at: NullableTimestamp
  batch_count: number | null
  next_batch: number | null
  mode: Generated<ImportMode>
  unknown_count: Generated<number>
  unknown: Json<UnknownRow[]>
  warnings: Json<ImportWarning[]>
  skipped_count: Generated<number>
  skipped: Json<SkippedProduct[]>
  /** Of goods in or a stocktake, with the hash of the request. */
  idempotency_key: string | null
  request_hash: Buffer | null
  header: Json<string[]>
  separator: Generated<string>
  wrong_rows: Generated<number>
  error_groups: Json<ErrorGroup[]>
  skips_errors: Generated<boolean>
  supplier: string | null
  scheduled_for: NullableTimestamp
  notes: Json<ImportNote[]>
  picture_hosts: Json<PictureHost[]>
  copied_hosts: Generated<string[]>
  /** Null: not a file of another shop. */
  other_shop: ColumnType<OtherShopChanges | null, string | undefined, string>
}

/** The rows of a file of redirects. */
export interface RedirectImportRowsTable {
  import_id: string
  row: number
  path: string
  target: string
}

/** The rows that an import leaves out if it skips errors. */
export interface WrongImportRowsTable {
  import_id: string
  row: number
  cells: Json<string[]>
  errors: Json<{ column: string; message: string }[]>
  /** The cell that names the product in a row that could not be read. */
  product_key: string | null
}

/** The fitments or part numbers of a product before an import replaced them. */
export interface ReplacedValuesTable {
  import_id: string
  product_id: string
  value: Json<object[]>
}

/** How the files of a supplier are read. */
export interface SupplierFilesTable {
  supplier: string
  kind: ImportKind
  columns: Json<ColumnMapping>
  encoding: FileEncoding
  mode: ImportMode
}
