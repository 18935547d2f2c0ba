import * as z from 'zod/mini'
import { id, line, paging, requiredLine, timestamp } from './fields.ts'
import type { Permissions } from './permissions.ts'
import { PictureHost } from './picture-downloads.ts'
import { type ProductColumnName, productColumns } from './product-columns.ts'
import { isShopPath } from './shop-paths.ts'
import { type VariantColumnName, variantColumns } from './variants.ts'

/** The kinds of files. */
export const importKinds = [
  'products',
  'bikes',
  'fitments',
  'part-numbers',
  'aces-codes',
  'aces',
  'shopify-products',
  'woocommerce-products',
  'redirects',
  'shopify-orders',
] as const
export type ImportKind = (typeof importKinds)[number]

/** The names of the kinds for admins. */
export const importKindNames: Record<ImportKind, string> = {
  products: 'Products and stock',
  'shopify-products': 'Products from Shopify',
  'woocommerce-products': 'Products from WooCommerce',
  redirects: 'Redirects of old addresses',
  fitments: 'Fitments: the bikes that products fit',
  bikes: 'Bikes',
  'part-numbers': 'Part numbers from other makers',
  'shopify-orders': 'Past orders from Shopify',
  aces: 'Fitments in ACES XML',
  'aces-codes': 'ACES codes',
}

/** Maximum number of products in a batch of an import. With fewer, orders wait less and imports take longer. */
export const productsPerBatch = 200

/** Whether a person who may import files may import this kind: past orders are not part of the catalog. */
export const mayImport = (held: Permissions, kind: ImportKind): boolean =>
  kind !== 'shopify-orders' || held.has('orders')

/** Whether files of a kind are from another shop. */
export const isOfOtherShop = (kind: ImportKind): boolean =>
  kind === 'shopify-products' || kind === 'woocommerce-products'

/** Whether files of a kind add and change products. */
export const changesProducts = (kind: ImportKind): boolean => kind === 'products' || isOfOtherShop(kind)

/** Whether files of a kind are imported in batches. Then wrong rows can be left out, and the import can run later. */
export const runsInBatches = (kind: ImportKind): boolean =>
  changesProducts(kind) || kind === 'fitments' || kind === 'part-numbers'

/**
 * Which rows of a product file change the shop. `all`: new products are added. `existing`: only products that the shop has.
 * `counts` and `deliveries`: only the stock of these. The quantity is the counted stock, or it is added to the stock.
 */
export const importModes = ['all', 'existing', 'counts', 'deliveries'] as const
export type ImportMode = (typeof importModes)[number]

/** The names of the modes for admins. */
export const importModeNames: Record<ImportMode, string> = {
  all: 'Add and change products',
  existing: 'Only change products that the shop has',
  counts: 'Counted stock: set the quantity',
  deliveries: 'Delivery: add the quantity to the stock',
}

/**
 * An error in a file. Row 1 is the header. `column` is empty if the whole row is wrong. In an ACES file `row` is the number of
 * the application, 0 for the header, `line` is its line, and `column` is the element.
 */
const ImportError = z.object({
  row: z.int(),
  line: z.optional(z.int()),
  column: z.string(),
  message: z.string(),
})
export type ImportError = z.infer<typeof ImportError>

/** Errors with the same column and message, apart from the numbers in it, with the first rows and their cells. */
const ErrorGroup = z.object({
  column: z.string(),
  message: z.string(),
  count: z.int(),
  examples: z.array(
    z.object({ row: z.int(), partNumber: z.optional(z.string()), value: z.optional(z.string()) }),
  ),
})
export type ErrorGroup = z.infer<typeof ErrorGroup>

/**
 * A product or a bike that a row adds or changes. `before` and `after` have the differing columns, in the file's
 * format. Fitment and part number files have one change for each product, with the removed and the added records as
 * text.
 */
const ImportChange = z.object({
  row: z.int(),
  name: z.string(),
  before: z.nullable(z.record(z.string(), z.nullable(z.string()))),
  after: z.record(z.string(), z.nullable(z.string())),
})
export type ImportChange = z.infer<typeof ImportChange>

/** A brand of an ACES file that the shop does not know. */
const LeftOutBrand = z.object({
  /** The `BrandAAIAID`. */
  brandId: z.string(),
  applications: z.int(),
  /** The first of its part numbers. */
  partNumber: z.string(),
})
export type LeftOutBrand = z.infer<typeof LeftOutBrand>

/**
 * Many large changes, with the first of them in the file's format. `PRICE_JUMP`: prices at least three times as high or as
 * low. `STOCK_DROP`: stock that falls by at least 80 %, if these are 20 rows or a tenth of all rows.
 */
const ImportWarning = z.object({
  code: z.enum(['PRICE_JUMP', 'STOCK_DROP']),
  count: z.int(),
  examples: z.array(z.object({ row: z.int(), name: z.string(), before: z.string(), after: z.string() })),
})
export type ImportWarning = z.infer<typeof ImportWarning>

/** A row of a product that the shop does not have, with its part number or id. */
const UnknownRow = z.object({ row: z.int(), partNumber: z.string() })
export type UnknownRow = z.infer<typeof UnknownRow>

/**
 * Rows of a file of another shop that are imported differently than they are written, or not at all if `leftOut`. The first
 * rows are listed.
 */
const ImportNote = z.object({
  text: z.string(),
  count: z.int(),
  rows: z.array(z.int()),
  leftOut: z.optional(z.literal(true)),
})
export type ImportNote = z.infer<typeof ImportNote>

/** Changes by a file of another shop, besides its variants. */
const OtherShopChanges = z.object({
  /** Products with a row that is imported. */
  products: z.int(),
  productsAdded: z.int(),
  productsChanged: z.int(),
  /** Paths that will lead to their product. */
  oldAddresses: z.int(),
  /** The first kinds of parts that no product has yet. */
  newKinds: z.array(z.string()),
})
export type OtherShopChanges = z.infer<typeof OtherShopChanges>

/** A product that an import left out, or an undo in part, because of a change after the check. */
const SkippedProduct = z.object({ productId: z.string(), name: z.string(), reason: z.string() })
export type SkippedProduct = z.infer<typeof SkippedProduct>

/**
 * An import in the list. The dry run is `reading`, `checking`, `checked`; the import is `importing`, `done`. If the state
 * is `failed`, `failure` is the reason.
 */
const importSummary = {
  id: z.string(),
  kind: z.enum(importKinds),
  /**
   * `selection`: a change of many products. `scan`: goods in or a stocktake. `undo`: it restores what another import has
   * changed.
   */
  source: z.enum(['file', 'selection', 'scan', 'undo']),
  /** If the source is `undo`, the file of the undone import; otherwise a title. */
  fileName: z.string(),
  state: z.enum(['reading', 'checking', 'checked', 'importing', 'done', 'failed']),
  failure: z.nullable(z.string()),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  /**
   * Fitments or part numbers that the file no longer has. If the source is `selection`, deleted products. If it is `undo`,
   * products that the undone import had added.
   */
  removed: z.int(),
  /** Products that were left out, because they changed after the check. */
  skippedCount: z.int(),
  /** Rows with errors, and the other rows of their products. They can be left out, unless their number is 0. */
  wrongRows: z.int(),
  /** Whether the import leaves out the wrong rows. */
  skipsErrors: z.boolean(),
  supplier: z.optional(z.string()),
  /** When a checked import runs, or was to run, in ISO 8601. */
  runAt: z.optional(z.string()),
  /** In ISO 8601. */
  startedAt: z.string(),
  /** The email of the admin. */
  startedBy: z.optional(z.string()),
  /** The import that this one undoes. */
  undoOf: z.optional(z.string()),
  /** The import that has undone this one. */
  undoneBy: z.optional(z.string()),
  /** Whether it has changed the shop in a way that can be undone, and was not undone. */
  undoable: z.boolean(),
}

export const ImportSummary = z.object(importSummary)
export type ImportSummary = z.infer<typeof ImportSummary>

export const ImportQuery = z.object(paging)
export type ImportQuery = z.infer<typeof ImportQuery>

/** An import, its progress and its result. */
export const ProductImport = z.object({
  ...importSummary,
  /** Number of rows read so far without the header. `done`: rows that the current state has processed. */
  rows: z.int(),
  done: z.int(),
  /** Models and years of fitments for which the shop has no bike. They are not errors. */
  yearsWithoutBike: z.int(),
  /** Applications of an ACES file that are not imported, because the shop does not know their brands. They are not errors. */
  leftOutCount: z.int(),
  leftOut: z.array(LeftOutBrand),
  mode: z.enum(importModes),
  /** Rows of products that the shop does not have. They are left out, except in the mode `all`. */
  unknownCount: z.int(),
  /** The first of them. */
  unknown: z.array(UnknownRow),
  /** To confirm before the import runs. */
  warnings: z.array(ImportWarning),
  /** The first products that were left out. */
  skipped: z.array(SkippedProduct),
  errorCount: z.int(),
  errors: z.array(ImportError),
  /** The errors of the wrong rows by column and message, most frequent first. */
  errorGroups: z.array(ErrorGroup),
  changes: z.array(ImportChange),
  /** Only for a file of another shop, like all below. Left out products and remarks, most frequent first. */
  notes: z.array(ImportNote),
  /** Counted by the check. */
  otherShop: z.optional(OtherShopChanges),
  /** Hosts of pictures in the file that are not in the shop. They can be copied, and stay at their addresses otherwise. */
  pictureHosts: z.array(PictureHost),
  /** The hosts whose pictures the import copies. */
  copiedHosts: z.array(z.string()),
})
export type ProductImport = z.infer<typeof ProductImport>

export const ImportId = z.object({ id })
/**
 * `acceptWarnings`: an admin has checked the large changes. `skipErrors`: the wrong rows are left out. `at`: the import
 * runs at this time, unless another check then finds new errors or large changes.
 */
export const ImportRun = z.object({
  acceptWarnings: z.optional(z.enum(['true'])),
  skipErrors: z.optional(z.enum(['true'])),
  at: z.optional(timestamp),
})

const shopFolder = 'Choose a folder in which this shop has no pages, such as /product'
/** The folder of product pages in another shop. */
const productFolder = line(200).check(
  z.regex(/^(\/[^/\\?#%\s]+)+\/?$/, 'Enter a folder such as /product'),
  z.refine(
    (folder: string) => !/^\/(pages|blogs)(\/|$)/i.test(folder) && !isShopPath(`${folder}/name`),
    shopFolder,
  ),
)

export const supplierName = requiredLine(120, 'Supplier is required')

export const ImportName = z.object({
  fileName: requiredLine(255, 'The file has no name'),
  /** Default: `products`. */
  kind: z.optional(z.enum(importKinds)),
  /** Only for product files. Default: `all`. With a file of another shop, the stock of known products only changes with `counts`. */
  mode: z.optional(z.enum(importModes)),
  /** The file is read with the stored columns of this supplier. New products get it. */
  supplier: z.optional(supplierName),
  /** Only for files of other shops: the stock of new products whose stock is not tracked there. Default: 0. */
  stock: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))),
  /** Only for files of WooCommerce, which lack the addresses of products. Default: `/product`. */
  productPath: z.optional(productFolder),
})

/**
 * `bom`: with a byte order mark, by which spreadsheet programs detect UTF-8. `decimals=comma`: for Excel in many languages,
 * with decimal commas, semicolons and a byte order mark. Codes and dates of digits are written as `="0815"`.
 */
export const ExportQuery = z.object({
  bom: z.optional(z.enum(['true'])),
  decimals: z.optional(z.enum(['point', 'comma'])),
})
export type ExportQuery = z.infer<typeof ExportQuery>

/** `format`: `ebay` has one row per product and bike, in the columns of eBay. */
export const FitmentExportQuery = z.object({ ...ExportQuery.shape, format: z.optional(z.enum(['ebay'])) })

export type ProductFileColumn =
  | 'id'
  | ProductColumnName
  | 'quantity_exported'
  | 'pictures'
  | VariantColumnName
  | 'group'

/**
 * The columns of a product file, by the names in its first row. `id` and `sku` identify the product of a row.
 * `quantity_exported` is the stock at the time of the export: with it, `quantity` changes the stock by the difference.
 * `pictures` are the URLs of the pictures after the first one, which is `image`, separated by semicolons. Rows with the
 * same `group` are the variants of one product. The attributes of the shop follow, such as `attribute:length`.
 */
export const productFileColumns: ProductFileColumn[] = [
  'id',
  ...productColumns.flatMap(({ name }) => {
    if (name === 'quantity') return [name, 'quantity_exported' as const]
    return name === 'image' ? [name, 'pictures' as const] : name
  }),
  ...variantColumns.flatMap(({ name }) => (name === 'options' ? [name, 'group' as const] : name)),
]

/**
 * The columns of a fitment file. A product's rows replace its fitments from the same source. A row without a make and
 * a model: the product has no fitments from this source.
 */
export const fitmentFileColumns = [
  'part_number',
  'make',
  'model',
  'year_from',
  'year_to',
  'version',
  'position',
  'pieces',
  'note',
  'source',
  'confirmed_on',
] as const

/** The columns of a bike file. `aliases`: other names of the model, separated by semicolons. */
export const bikeFileColumns = [
  'make',
  'model',
  'year_from',
  'year_to',
  'version',
  'engine_cc',
  'source',
  'aliases',
] as const

/** The kinds of ids in ACES files. A brand has an alphabetic one. */
export const acesCodeKinds = ['base_vehicle', 'submodel', 'position', 'brand'] as const

/**
 * The columns of a file with ACES codes. A base vehicle has a make, a model and a year, the other kinds have a value.
 */
export const acesCodeFileColumns = ['kind', 'id', 'make', 'model', 'year', 'value'] as const

/**
 * The columns of a part number file. `part_number`: the number of a product or a variant. `number`: a number of
 * another maker. A product's rows replace its numbers. A row without the other columns: the product has none.
 */
export const partNumberFileColumns = ['part_number', 'kind', 'maker', 'number'] as const

/** The columns of a file of redirects. */
export const redirectFileColumns = ['redirect from', 'redirect to'] as const

export const maxFileRows = 1_000_000

/** An import lists at most this many errors, changes, brands and products that are left out. */
export const maxListedErrors = 1000
export const maxListedChanges = 20
export const maxListedBrands = 100
export const maxListedSkipped = 100
export const maxListedUnknown = 100
export const maxListedExamples = 5
export const maxListedGroups = 50
export const maxListedNotes = 100
export const maxListedKinds = 50
