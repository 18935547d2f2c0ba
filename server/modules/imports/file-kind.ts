import type { Kysely, Transaction } from 'kysely'
import type { ImportChange, ImportError } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Batch } from './read-file.ts'
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

/** The changes that the import of a file would make now. */
export interface DryRun extends FileErrors {
  effect: Effect
  changes: ImportChange[]
}

/**
 * How files of one kind are read, checked and imported. Each kind is in the module that owns the tables which it writes.
 */
export interface FileKind {
  /** The table with the stored rows of these files. */
  rowTable: string
  read: (bytes: AsyncIterable<Buffer>, tx: Kysely<Database>) => AsyncIterable<Batch>
  /** Stores rows of the file. */
  insertRows: (tx: Kysely<Database>, importId: string, rows: object[]) => Promise<void>
  /** Compares the stored rows with the shop. `columns`: the columns of the file. */
  check: (tx: Kysely<Database>, importId: string, columns: string[]) => Promise<DryRun>
  /**
   * Imports the stored rows. `onProgress` gets the finished share, from 0 to 1, and throws on shutdown.
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

/** `copy … to stdout` statements that write all records as CSV, by file name. */
export type ExportTexts = Record<'products' | 'fitments' | 'fitments-ebay' | 'bikes' | 'part-numbers', string>

export const catalogChanged =
  'The catalog changed during the import. Nothing was imported. Upload the file again.'
