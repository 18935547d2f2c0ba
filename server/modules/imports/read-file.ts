import { pipeline, Readable } from 'node:stream'
import { CsvError, type CsvErrorCode, type Info, parse } from 'csv-parse'
import * as z from 'zod/mini'
import { type ImportError, type LeftOutBrand, maxFileRows } from '../../../contract/imports.ts'

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
  /** Columns whose text is converted before its rule. */
  parsers?: Record<string, (text: string) => unknown>
  /** Returns why these columns are refused, or null. */
  refuseColumns: (columns: string[]) => string | null
  /** Converts the values of a row to what `insertRows` stores. Returns the messages of errors by column instead. */
  finishRow: (values: Record<string, unknown>) => { row: object } | { errors: Record<string, string> }
}

const rowsAtOnce = 2500
/** More than any valid row, so that an unclosed quotation mark does not consume the rest of the file. */
const maxRowLength = 50_000

/**
 * Reads a file: CSV in UTF-8, separated by commas, semicolons or tabs. Holds one batch of rows in memory.
 *
 * @throws FileRefused if the file or the rest of it cannot be read
 */
export async function* readFile(bytes: AsyncIterable<Buffer>, format: FileFormat): AsyncGenerator<Batch> {
  let batch: Batch = { columns: [], rows: [], errors: [], rowsRead: 0 }
  let readRow: ReturnType<typeof rowReader> | null = null
  for await (const { row, cells } of readRecords(bytes)) {
    if (!readRow) {
      if (row > 1) throw new FileRefused('The first row is empty. It must have the column names.')
      batch.columns = readHeader(cells, format)
      readRow = rowReader(batch.columns, format)
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
}

/** Yields the rows that are not empty, the header first. */
async function* readRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  const chunks = withWholeHeader(bytes)
  const { value: start = Buffer.alloc(0) } = await chunks.next()
  refuseOtherFormats(start)
  const parser = parse({
    bom: true,
    delimiter: detectDelimiter(start.toString()),
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
      if (record.some((cell) => cell.includes('\ufffd'))) throw new FileRefused(`Row ${row}: ${windows1252}`)
      yield { row, cells: record }
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

const windows1252 =
  "The file is not UTF-8. It is probably Windows-1252, the default of Excel's “CSV”. Save it as “CSV UTF-8”."

/** Detects empty files and other formats of spreadsheet programs by their first bytes. @throws FileRefused */
function refuseOtherFormats(start: Buffer): void {
  const starts = (...signs: string[]) => signs.some((sign) => start.indexOf(sign, 0, 'latin1') === 0)
  if (!start.toString().trim()) throw new FileRefused('The file is empty.')
  if (starts('PK\x03\x04', '\xd0\xcf\x11\xe0'))
    throw new FileRefused('This is an Excel workbook. Save it as “CSV UTF-8”.')
  if (starts('\xff\xfe', '\xfe\xff')) throw new FileRefused('The file is UTF-16. Save it as “CSV UTF-8”.')
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

/** @throws FileRefused */
function readHeader(record: string[], format: FileFormat): string[] {
  const names = record.map((name) => name.trim().toLowerCase())
  const known = Object.keys(format.columns)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new FileRefused(
      `Row 1: unknown column “${toExcerpt(unknown)}”. Valid columns are ${known.join(', ')}.`,
    )
  }
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice) throw new FileRefused(`Row 1: the column “${twice}” appears twice.`)
  const refused = format.refuseColumns(names)
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
  columns: string[],
  { columns: rules, numbers, parsers = {}, finishRow }: FileFormat,
): (record: string[], row: number) => object | ImportError[] {
  const schema = z.object(Object.fromEntries(columns.map((column) => [column, rules[column] ?? z.never()])))
  const toValue = (column: string, cell: string): unknown => {
    const text = unguard(cell)
    if (text.trim() === '') return undefined
    if (numbers.includes(column)) return toWholeNumber(text)
    return parsers[column] ? parsers[column](text) : text
  }
  return (record, row) => {
    if (record.length !== columns.length) {
      const message = `This row has ${record.length} cells, the header has ${columns.length}`
      return [{ row, column: '', message }]
    }
    const { data, error } = schema.safeParse(
      Object.fromEntries(columns.map((column, index) => [column, toValue(column, record[index] ?? '')])),
    )
    if (error) return firstErrorPerColumn(error.issues, row)
    const finished = finishRow(data)
    return 'errors' in finished
      ? Object.entries(finished.errors).map(([column, message]) => ({ row, column, message }))
      : { row, ...finished.row }
  }
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
