import { pipeline, Readable } from 'node:stream'
import { CsvError, type CsvErrorCode, parse } from 'csv-parse'
import * as z from 'zod/mini'
import { NewProduct } from '../../../contract/catalog.ts'
import { id, pieces } from '../../../contract/fields.ts'
import { type ImportError, type ProductFileColumn, productFileColumns } from '../../../contract/imports.ts'
import { toCents } from '../../../contract/money.ts'
import { type ProductSqlName, productColumns } from '../../../contract/product-columns.ts'
import { newId } from '../../platform/database.ts'
import { decodeUtf8 } from './decode.ts'

/** The whole file is rejected. `message` is shown to the admin. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}

interface FileReader {
  /** Called once, before any row. */
  columns: (columns: ProductFileColumn[]) => void
  /** Called for each batch. Reading continues when the promise resolves. */
  rows: (rows: StagedRow[], readSoFar: number) => Promise<void>
  error: (error: ImportError) => void
}

const rowsAtOnce = 2500
/** More than any valid row, so that an unclosed quotation mark does not consume the rest of the file. */
const maxRowLength = 50_000

/**
 * Reads a product file: CSV in UTF-8, separated by commas, semicolons or tabs. Holds one batch of rows in memory.
 *
 * @throws FileRefused if the file or the rest of it cannot be read
 */
export async function readFile(bytes: AsyncIterable<Buffer>, reader: FileReader): Promise<void> {
  const { text, unreadable } = decodeUtf8(bytes)
  const { value: start = '' } = await text.next()
  if (!start.trim()) throw new FileRefused(unreadable() ?? 'The file is empty.')
  const parser = parse({
    delimiter: detectDelimiter(start),
    relax_column_count: true,
    max_record_size: maxRowLength,
  })
  // An upload error destroys the parser, so that the loop below throws.
  pipeline(Readable.from(prefixed(start, text)), parser, () => undefined)
  let row = 0
  let read: ReturnType<typeof rowReader> | undefined
  let batch: StagedRow[] = []
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row++
      if (!read) {
        const columns = readHeader(record)
        reader.columns(columns)
        read = rowReader(columns)
      } else if (record.some((cell) => cell !== '')) {
        const found = read(record, row, newId())
        if (Array.isArray(found)) for (const error of found) reader.error(error)
        else batch.push(found)
      }
      if (batch.length >= rowsAtOnce) {
        await reader.rows(batch, row - 1)
        batch = []
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FileRefused(`Row ${Number(error.records) + 1}: ${unreadable() ?? toMessage(error)}`)
  }
  const reason = unreadable()
  if (reason) throw new FileRefused(`Row ${row + 1}: ${reason}`)
  await reader.rows(batch, row - 1)
  if (row === 1) throw new FileRefused('The file has a header but no rows.')
}

async function* prefixed(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start
  yield* rest
}

/** Returns the most frequent of the three delimiters in the header. */
function detectDelimiter(start: string): string {
  const header = start.split(/\r|\n/, 1)[0] ?? ''
  const count = (sign: string) => header.split(sign).length
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ','
}

/** Control characters, and characters that change the text direction. */
const unprintable = /[\p{Cc}\p{Cs}\ufffd\u2028-\u202e\u2066-\u2069]/gu

/** @throws FileRefused */
function readHeader(record: string[]): ProductFileColumn[] {
  const names = record.map((name) => name.trim().toLowerCase())
  const unknown = names.find((name) => !productFileColumns.some((column) => column === name))
  if (unknown !== undefined) {
    const [shown] = /^.{0,60}/su.exec(unknown.replaceAll(unprintable, '')) ?? []
    throw new FileRefused(
      `Row 1: unknown column “${shown}”. Valid columns are ${productFileColumns.join(', ')}.`,
    )
  }
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice) throw new FileRefused(`Row 1: the column “${twice}” appears twice.`)
  if (!names.includes('id') && !names.includes('sku')) {
    throw new FileRefused('Row 1: a “sku” or “id” column is required to match products.')
  }
  if (names.includes('quantity_exported') && !names.includes('quantity')) {
    throw new FileRefused('Row 1: “quantity_exported” requires the column “quantity”.')
  }
  return names as ProductFileColumn[]
}

function toMessage({ code, message }: CsvError): string {
  const messages: Partial<Record<CsvErrorCode, string>> = {
    CSV_MAX_RECORD_SIZE: 'the row is too long. A quotation mark may be unclosed.',
    CSV_QUOTE_NOT_CLOSED: 'unclosed quotation mark.',
    INVALID_OPENING_QUOTE: 'unescaped quotation mark in a cell. Quote the cell and double the mark.',
    CSV_INVALID_CLOSING_QUOTE: 'text after a closing quotation mark. Double a quotation mark inside a cell.',
  }
  return messages[code] ?? message
}

/** Allows more than the form for a new product, because restocking can lead to such a stock. */
const stock = pieces('Quantity is required').check(z.gte(0, 'At least 0'))

/** The contract's rules for each column. `findErrors` checks for missing required values. */
const cells = {
  ...NewProduct.shape,
  id: z.optional(id),
  quantity: z.optional(stock),
  quantity_exported: z.optional(stock),
} satisfies Record<ProductFileColumn, z.ZodMiniType>

const numbers: ProductFileColumn[] = [
  'quantity_exported',
  ...productColumns.filter(({ type }) => type !== 'text').map(({ name }) => name),
]

/** A row of `product_import_rows`. */
type StagedRow = { row: number; new_id: string; id?: string; stock_exported?: number } & {
  [Column in ProductSqlName]?: string | number
}

type RowReader = (record: string[], row: number, newId: string) => StagedRow | ImportError[]

/** Creates a reader for rows with these columns. */
function rowReader(columns: ProductFileColumn[]): RowReader {
  const schema = z.object(Object.fromEntries(columns.map((column) => [column, cells[column]])))
  return (record, row, newId) => {
    if (record.length !== columns.length) {
      const message = `This row has ${record.length} cells, the header has ${columns.length}`
      return [{ row, column: '', message }]
    }
    const result = schema.safeParse(
      Object.fromEntries(columns.map((column, index) => [column, toValue(column, record[index] ?? '')])),
    )
    if (!result.success) return firstErrorPerColumn(result.error.issues, row)
    const cells = result.data as z.infer<typeof Cells>
    const staged: Record<string, unknown> = { id: cells.id, stock_exported: cells.quantity_exported }
    for (const { name, sql, type } of productColumns) {
      const value = cells[name]
      staged[sql] = type === 'cents' && value !== undefined ? toCents(Number(value)) : value
    }
    return { row, new_id: newId, ...staged }
  }
}

const Cells = z.partial(z.object(cells))

const guarded = /^'+[=+\-@\t\r＝＋－＠]/

/** Removes the apostrophe that the export puts before possible formulas, see `riskyInPostgres`. */
const unguard = (cell: string): string => (guarded.test(cell) ? cell.slice(1) : cell)

/** Allows `12.00` or `12,0`, as spreadsheet programs format money. Three decimals could be a thousands separator. */
const wholeNumber = /^(-?\d{1,15})(?:[.,]0{1,2})?$/

/** Returns undefined for a blank cell, and an invalid number (0.5) for text in a number column. */
function toValue(column: ProductFileColumn, cell: string): string | number | undefined {
  const text = unguard(cell)
  if (text.trim() === '') return undefined
  if (!numbers.includes(column)) return text
  const [, whole] = wholeNumber.exec(text.trim()) ?? []
  // The contract rejects 0.5 with the message that a whole number is needed.
  return whole === undefined ? 0.5 : Number(whole)
}

function firstErrorPerColumn(issues: z.core.$ZodIssue[], row: number): ImportError[] {
  const errors = new Map<string, string>()
  for (const { path, message } of issues) {
    const column = String(path[0] ?? '')
    if (!errors.has(column)) errors.set(column, message)
  }
  return [...errors].map(([column, message]) => ({ row, column, message }))
}
