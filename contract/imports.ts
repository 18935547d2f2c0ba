import * as z from 'zod/mini'
import { id, requiredLine } from './fields.ts'

/** What is wrong in a file: `row` counts from 1, the header, as a spreadsheet does; `column` is blank for a whole row. */
const ImportError = z.object({ row: z.int(), column: z.string(), message: z.string() })
export type ImportError = z.infer<typeof ImportError>

/** A product that a row adds or changes; `before` and `after` hold the columns that differ, as the file writes them. */
const ImportChange = z.object({
  row: z.int(),
  name: z.string(),
  before: z.nullable(z.record(z.string(), z.nullable(z.string()))),
  after: z.record(z.string(), z.nullable(z.string())),
})
export type ImportChange = z.infer<typeof ImportChange>

/**
 * How far an import has come. `reading` and `checking` are its dry run, which ends as `checked`; then `importing` ends as
 * `done`. `failed` has changed nothing, and `failure` says why.
 */
export const ProductImport = z.object({
  id: z.string(),
  fileName: z.string(),
  state: z.enum(['reading', 'checking', 'checked', 'importing', 'done', 'failed']),
  failure: z.nullable(z.string()),
  /** Rows below the header that were read so far, and how many of them the present state is done with. */
  rows: z.int(),
  done: z.int(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  errorCount: z.int(),
  errors: z.array(ImportError),
  changes: z.array(ImportChange),
})
export type ProductImport = z.infer<typeof ProductImport>

export const ImportId = z.object({ id })
/** A name that was no UTF-8 comes with signs that stand for what could not be read. */
const isReadable = z.regex(/^[^\uFFFD]*$/u, "The file's name cannot be read")
export const ImportName = z.object({ fileName: requiredLine(255, 'The file has no name').check(isReadable) })

/** `bom`: with the mark by which spreadsheet programs know UTF-8. */
export const ExportQuery = z.object({ bom: z.optional(z.enum(['true'])) })
