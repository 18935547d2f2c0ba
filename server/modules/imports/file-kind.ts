import type { Kysely, Transaction } from 'kysely'
import type {
  ImportChange,
  ImportError,
  ImportMode,
  ImportWarning,
  OtherShopChanges,
  SkippedProduct,
  UnknownRow,
} from '../../../contract/imports.ts'
import type { PictureHost } from '../../../contract/picture-downloads.ts'
import type { ProductChanges } from '../../../contract/product-changes.ts'
import type { DeliveryNote, Receipt } from '../../../contract/receipts.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Batch, FileFormat } from './read-file.ts'
import type { ProductImport } from './repository.ts'

/** The number of added, changed and unchanged records. Fitment and part number files have the other numbers too. */
export interface Effect {
  added: number
  changed: number
  unchanged: number
  removed?: number
  years_without_bike?: number
}

export interface FileErrors {
  /** The first ones. */
  errors: ImportError[]
  total: number
}

/** Rows of products that the shop does not have: all are counted, and the first are listed. */
export interface UnknownRows {
  count: number
  rows: UnknownRow[]
}

/** The changes that the import of a file would make now. */
export interface DryRun extends FileErrors {
  effect: Effect
  changes: ImportChange[]
  /** They were removed from the stored rows. */
  unknown?: UnknownRows
  /** Large changes to confirm. */
  warnings?: ImportWarning[]
  /** Only for a file of another shop. */
  otherShop?: OtherShopChanges
  /** Hosts of pictures that the import can copy. */
  pictureHosts?: PictureHost[]
}

/** The result of a batch. */
export interface BatchResult {
  effect: Partial<Effect>
  skipped: SkippedProduct[]
}

/** Imports the stored rows in one transaction. */
interface AtOnce {
  /**
   * `onProgress` gets the finished share, from 0 to 1, and throws on shutdown.
   *
   * @throws FileRefused if the shop has changed since the check
   */
  run: (
    tx: Transaction<Database>,
    file: ProductImport,
    by: Actor,
    onProgress: (share: number) => Promise<void>,
  ) => Promise<Effect>
}

/**
 * Imports the stored rows in batches of products (decision 79). Each batch is a short transaction, so that orders wait for
 * it. The rows are in a table with the columns `import_id`, `row`, `product_id` and `batch`.
 */
export interface InBatches {
  batches: {
    /**
     * Compares the stored rows with the shop again, and gives each product that changes a batch, from 0.
     *
     * @returns the number of batches, what no batch counts, and the rows that were removed since the check
     * @throws FileRefused if the shop has changed since the check
     */
    prepare: (
      tx: Transaction<Database>,
      file: ProductImport,
    ) => Promise<BatchResult & { batches: number; unknown?: UnknownRows | undefined }>
    /** Locks the products of a batch in the order of their ids, and changes them. Leaves out those that cannot change. */
    run: (
      tx: Transaction<Database>,
      file: ProductImport,
      batch: { number: number; products: BatchProduct[] },
      by: Actor,
    ) => Promise<BatchResult>
    /** Lists the products of a batch with their names, in the order of their ids. */
    list: (db: Kysely<Database>, importId: string, batch: number) => Promise<BatchProduct[]>
  }
}

export interface BatchProduct {
  product_id: string
  name: string
}

interface StoredRows {
  /** The table with the stored rows. */
  rowTable: string
  /** Compares the stored rows with the shop. `columns`: the columns of the file. */
  check: (tx: Kysely<Database>, importId: string, columns: string[], mode: ImportMode) => Promise<DryRun>
}

/** The columns of the shop that files of a kind can have. They may depend on the shop, and on what is done with the file. */
interface CsvFile {
  toFormat: (
    db: Kysely<Database>,
    options: { mode: ImportMode; supplier: string | null },
  ) => Promise<FileFormat> | FileFormat
}

interface OtherFile {
  read: (bytes: AsyncIterable<Buffer>, tx: Kysely<Database>, options: ReadOptions) => AsyncIterable<Batch>
  /** Returns why a CSV file with this first row is refused, or null. */
  refuseHeader?: (header: string[]) => string | null
}

/** How a file of another shop is read. */
export interface ReadOptions {
  mode: ImportMode
  /** The stock of products whose stock is not tracked. */
  stock: number
  /** The folder of product pages in a shop of WooCommerce. */
  productPath: string
}

/**
 * How files of one kind are read, checked and imported. Each kind is in the module that owns the tables which it writes.
 */
export type FileKind = StoredRows & {
  /** Stores rows of the file. */
  insertRows: (tx: Kysely<Database>, importId: string, rows: object[]) => Promise<void>
  /**
   * Stores the values that an import has replaced as the rows of a file. Returns the products that cannot be restored.
   * Without it, imports of this kind have no undo of their own.
   */
  stageUndo?: (tx: Kysely<Database>, importId: string, undoneId: string) => Promise<SkippedProduct[]>
} & (CsvFile | OtherFile) &
  (AtOnce | InBatches)

/** How an import of products is undone: by an import whose rows come from the history. */
export type Undo = Pick<StoredRows, 'rowTable'> &
  InBatches & {
    /** Stores what an import has changed. Returns the number of rows. */
    stage: (tx: Kysely<Database>, importId: string, undoneId: string) => Promise<number>
    check: (
      tx: Kysely<Database>,
      importId: string,
    ) => Promise<Pick<DryRun, 'effect' | 'changes'> & Pick<BatchResult, 'skipped'>>
  }

/**
 * Moves the stock of goods in or of a stocktake, in the transaction of the import that records it.
 *
 * @returns the number of lines that changed a stock, and the first changes
 * @throws VARIANT_NOT_FOUND, STOCK_BELOW_ZERO, INVALID_REQUEST
 */
export type Receive = (
  tx: Kysely<Database>,
  receipt: Receipt,
  by: Actor,
) => Promise<{ changed: number; changes: ImportChange[] }>

/** Lists the items of a checked delivery file in its order, up to one more than a receipt can have. */
export type ListDelivered = (db: Kysely<Database>, importId: string) => Promise<DeliveryNote['lines']>

/**
 * One change of many products, by an import whose rows come from the selection. It is checked and run like an undo: its rows
 * have the values to set, and the present ones.
 */
export interface Selection {
  /**
   * Returns the selected products, and the title of the import.
   *
   * @throws SELECTION_CHANGED, NOTHING_SELECTED, SELECTION_TOO_LARGE
   */
  select: (db: Kysely<Database>, changes: ProductChanges) => Promise<{ ids: string[]; title: string }>
  /** Stores the rows. Returns how many products have the new values already. */
  stage: (
    tx: Kysely<Database>,
    importId: string,
    ids: string[],
    changes: ProductChanges,
  ) => Promise<{ unchanged: number; warnings: ImportWarning[] }>
}

export const catalogChanged =
  'The catalog changed during the import. Nothing was imported. Upload the file again.'
