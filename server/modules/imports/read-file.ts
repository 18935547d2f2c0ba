import { pipeline, Readable } from 'node:stream'
import { CsvError, type CsvErrorCode, type Info, parse } from 'csv-parse'
import * as z from 'zod/mini'
import { type ImportError, type LeftOutBrand, maxFileRows } from '../../../contract/imports.ts'
import { parseDollars } from '../../../contract/money.ts'
import { toUtf8 } from './encoding.ts'

/** The whole file is rejected. `message` is shown to the admin. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}

/** A part of a file. */
export interface Batch {
  columns: string[]
  /** Valid rows, each with its number in `row`. */
  rows: object[]
  errors: ImportError[]
  /** Rows since the start of the file, without the header. */
  rowsRead: number
  /** Applications since the start of an ACES file. */
  leftOut?: { count: number; brands: LeftOutBrand[] }
}

/** A kind of CSV file. */
export interface FileFormat {
  /** The rules of each column, in the order of an export. */
  columns: Record<string, z.ZodMiniType>
  /** Columns of whole numbers. */
  numbers: readonly string[]
  /** Columns of prices, in dollars with cents. */
  prices?: readonly string[]
  /** Returns why these columns are refused, or null. */
  refuseColumns: (columns: string[]) => string | null
  /** Converts the values of a row to what `insertRows` stores. Returns the messages of errors by column instead. */
  finishRow: (values: Record<string, unknown>) => { row: object } | { errors: Record<string, string> }
}

const rowsAtOnce = 2500
/** More than any valid row, so that an unclosed quotation mark does not consume the rest of the file. */
const maxRowLength = 50_000

/**
 * Reads a file: CSV in UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons or tabs. Between semicolons and tabs
 * a price may have a decimal comma. Holds one batch of rows in memory.
 *
 * @throws FileRefused if the file or the rest of it cannot be read
 */
export async function* readFile(bytes: AsyncIterable<Buffer>, format: FileFormat): AsyncGenerator<Batch> {
  let batch: Batch = { columns: [], rows: [], errors: [], rowsRead: 0 }
  let readRow: ReturnType<typeof rowReader> | null = null
  for await (const { row, cells, separator } of readRecords(toUtf8(bytes))) {
    if (!readRow) {
      if (row > 1) throw new FileRefused('The first row is empty. It must have the column names.')
      const names = readHeader(cells, format)
      batch.columns = names.filter(Boolean)
      readRow = rowReader(names, separator, format)
      continue
    }
    batch.rowsRead = row - 1
    if (batch.rowsRead > maxFileRows) throw new FileRefused(tooManyRows)
    if (cells.some((cell) => cell !== '')) {
      const found = readRow(cells, row)
      if (Array.isArray(found)) batch.errors.push(...found)
      else batch.rows.push(found)
    }
    if (batch.rows.length + batch.errors.length >= rowsAtOnce) {
      yield batch
      batch = { ...batch, rows: [], errors: [] }
    }
  }
  if (batch.rowsRead === 0) throw new FileRefused('The file has a header but no rows.')
  yield batch
}

interface Row {
  /** As a spreadsheet counts them: the first is 1, and empty rows count. */
  row: number
  cells: string[]
  separator: string
}

/** Yields the rows that are not empty, the header first. */
async function* readRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const chunks = withWholeHeader(bytes)
  const { value: first = Buffer.alloc(0) } = await chunks.next()
  refuseOtherFormats(first)
  const { separator, start } = readSeparator(first)
  const parser = parse({
    bom: true,
    delimiter: separator,
    relax_column_count: true,
    // The parser creates an error object for each row with another number of cells, even if they are allowed.
    skip_empty_lines: true,
    info: true,
    max_record_size: maxRowLength,
  })
  const countRows = ({ records, empty_lines } = parser.info) => records + empty_lines
  async function* limitedChunks() {
    for await (const chunk of chunks) {
      if (countRows() > maxFileRows + 1) throw new FileRefused(tooManyRows)
      yield chunk
    }
  }
  parser.write(start)
  // An upload error destroys the parser, so that the loop below throws.
  pipeline(Readable.from(limitedChunks()), parser, () => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const row = countRows(info)
      // The parser decodes invalid bytes as U+FFFD. No text of the shop contains it.
      if (record.some((cell) => cell.includes('\ufffd')))
        throw new FileRefused(`Row ${row}: ${mixedEncodings}`)
      yield { row, cells: record, separator }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FileRefused(`Row ${countRows() + 1}: ${toMessage(error)}`)
  }
}

const tooManyRows = 'A file can have at most 1,000,000 rows. Divide it into several files.'

/** Joins the first chunks until they contain the header. */
async function* withWholeHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0)
  for await (const chunk of chunks) {
    start = start && Buffer.concat([start, chunk])
    if (start === null) yield chunk
    else if (start.includes('\n') || start.length > maxRowLength) {
      yield start
      start = null
    }
  }
  if (start) yield start
}

const mixedEncodings = 'this row is not UTF-8, but rows before it are. Save the file as “CSV UTF-8”.'

/** Detects empty files and other formats of spreadsheet programs by their first bytes. @throws FileRefused */
function refuseOtherFormats(start: Buffer): void {
  const text = start.toString()
  if (!text.trim()) throw new FileRefused('The file is empty.')
  if (['PK\x03\x04', 'ÐÏ\x11à'].some((sign) => text.startsWith(sign)))
    throw new FileRefused('This is an Excel workbook. Save it as “CSV UTF-8”.')
}

/** Reads the separator, and removes a first line such as `sep=;`, which Excel writes and does not count. */
function readSeparator(first: Buffer): { separator: string; start: Buffer } {
  const text = first.toString()
  const [line, separator] = /^\uFEFF?sep=([,;\t])\r?\n/i.exec(text) ?? []
  if (line === undefined || separator === undefined) return { separator: detectDelimiter(text), start: first }
  return { separator, start: first.subarray(Buffer.byteLength(line)) }
}

/** Returns the most frequent of the three delimiters in the header. */
function detectDelimiter(start: string): string {
  const header = start.split(/\r|\n/, 1)[0] ?? ''
  const count = (sign: string) => header.split(sign).length
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ','
}

/** Control characters, and characters that change the text direction. */
const unprintable = /[\p{Cc}\p{Cs}\ufffd\u2028-\u202e\u2066-\u2069]/gu

/** Returns at most 60 printable characters of a text in a file, for a message. */
export function toExcerpt(text: string): string {
  const [shown = ''] = /^.{0,60}/su.exec(text.replaceAll(unprintable, '')) ?? []
  return shown
}

const maxListedColumns = 20

/** Returns the names of the columns. Empty ones, as at the end of Excel's rows, must have no values. @throws FileRefused */
function readHeader(record: string[], format: FileFormat): string[] {
  const names = record.map((name) => name.trim().toLowerCase())
  const known = Object.keys(format.columns)
  const unknown = names.filter((name) => name !== '' && !known.includes(name))
  if (unknown.length > 0) {
    const listed = unknown.slice(0, maxListedColumns).map((name) => `“${toExcerpt(name)}”`)
    const columns = unknown.length === 1 ? 'column' : 'columns'
    throw new FileRefused(
      `Row 1: unknown ${columns} ${listed.join(', ')}. Valid columns are ${known.join(', ')}.`,
    )
  }
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) < index)
  if (twice) throw new FileRefused(`Row 1: the column “${twice}” appears twice.`)
  const refused = format.refuseColumns(names.filter(Boolean))
  if (refused) throw new FileRefused(`Row 1: ${refused}`)
  return names
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

/** Creates a reader for rows with these columns. It returns the row, or the first error of each column. */
function rowReader(
  names: string[],
  separator: string,
  { columns: rules, numbers, prices = [], finishRow }: FileFormat,
): (record: string[], row: number) => object | ImportError[] {
  const columns = names.filter(Boolean)
  const schema = z.object(Object.fromEntries(columns.map((column) => [column, rules[column] ?? z.never()])))
  const toValue = (column: string, cell: string): unknown => {
    const text = unguard(cell)
    if (text.trim() === '') return undefined
    if (numbers.includes(column)) return toWholeNumber(text)
    return prices.includes(column) ? parseFilePrice(text, separator) : text
  }
  return (record, row) => {
    if (record.length !== names.length) {
      const message = `This row has ${record.length} cells, the header has ${names.length}`
      return [{ row, column: '', message }]
    }
    const unnamed = names.findIndex((name, index) => name === '' && record[index]?.trim() !== '')
    if (unnamed !== -1) {
      return [{ row, column: '', message: `Cell ${unnamed + 1} has a value, but its column has no name` }]
    }
    const values = names.flatMap((name, index): [string, unknown][] =>
      name === '' ? [] : [[name, toValue(name, record[index] ?? '')]],
    )
    const { data, error } = schema.safeParse(Object.fromEntries(values))
    if (error) return firstErrorPerColumn(error.issues, row)
    const finished = finishRow(data)
    return 'errors' in finished
      ? Object.entries(finished.errors).map(([column, message]) => ({ row, column, message }))
      : { row, ...finished.row }
  }
}

/**
 * Converts a price. `1.234,50` and `1,234.50` are clear. `12,50` is a decimal comma if no comma separates the cells.
 * Other texts stay, such as `1,000` and `1.000`, and the rule of the column rejects them.
 */
export function parseFilePrice(text: string, separator: string): number | string {
  const trimmed = text.trim()
  if (/^-?\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(trimmed))
    return parseDollars(trimmed.replaceAll('.', '').replace(',', '.'))
  if (/^-?\d{1,3}(?:,\d{3})+\.\d{1,2}$/.test(trimmed)) return parseDollars(trimmed.replaceAll(',', ''))
  const hasDecimalComma = separator !== ',' && /^-?\d{1,15},\d{1,2}$/.test(trimmed)
  return parseDollars(hasDecimalComma ? trimmed.replace(',', '.') : text)
}

const guarded = /^'+[=+\-@\t\r＝＋－＠]/

/** Removes the apostrophe that the export puts before possible formulas, see `guardFormulas`. */
const unguard = (cell: string): string => (guarded.test(cell) ? cell.slice(1) : cell)

/** Allows `12.0` or `12,00`, as spreadsheet programs format numbers. Text becomes a value that the rules reject. */
export function toWholeNumber(text: string): number {
  const [, whole] = /^(-?\d{1,15})(?:[.,]0{1,2})?$/.exec(text.trim()) ?? []
  // The contract rejects 0.5 with the message that a whole number is needed.
  return whole === undefined ? 0.5 : Number(whole)
}

export function firstErrorPerColumn(issues: z.core.$ZodIssue[], row: number): ImportError[] {
  const errors = issues.map(({ path, message }) => ({ row, column: String(path[0] ?? ''), message }))
  return errors.filter(({ column }, index) => errors.findIndex((one) => one.column === column) === index)
}
