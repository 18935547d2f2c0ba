import { pipeline, Readable } from 'node:stream'
import { CsvError, type CsvErrorCode, type Info, parse } from 'csv-parse'
import { maxFileRows } from '../../../contract/imports.ts'
import type { FileEncoding } from '../../../contract/supplier-files.ts'
import { findWrongWord, toUtf8 } from './encoding.ts'

/** The whole file is rejected. `message` is shown to the admin. */
export class FileRefused extends Error {
  override name = 'FileRefused'
}

/** More than any valid row, so that an unclosed quotation mark does not consume the rest of the file. */
const maxRowLength = 50_000

export interface FileRow {
  /** As a spreadsheet counts them: the first is 1, and empty rows count. */
  row: number
  cells: string[]
  separator: string
  /** The last row, if no line break ends it: the rest of the file may be missing. */
  isCut?: boolean
}

/**
 * Yields the rows of a CSV file that are not empty, the header first.
 *
 * @throws FileRefused if the file or the rest of it cannot be read
 */
export async function* readRecords(
  bytes: AsyncIterable<Buffer>,
  encoding: FileEncoding = 'auto',
): AsyncGenerator<FileRow> {
  let isWindows1252 = false
  const onWindows1252 = () => {
    isWindows1252 = true
  }
  const chunks = withWholeHeader(toUtf8(bytes, encoding, onWindows1252))
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
  let lastByte = start.at(-1)
  async function* limitedChunks() {
    for await (const chunk of chunks) {
      if (countRows() > maxFileRows + 1) throw new FileRefused(tooManyRows)
      lastByte = chunk.at(-1) ?? lastByte
      yield chunk
    }
  }
  parser.write(start)
  // An upload error destroys the parser, so that the loop below throws.
  pipeline(Readable.from(limitedChunks()), parser, () => undefined)
  let previous: FileRow | null = null
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const row = countRows(info)
      // The parser decodes invalid bytes as U+FFFD. No text of the shop contains it.
      if (record.some((cell) => cell.includes('\ufffd')))
        throw new FileRefused(`Row ${row}: ${mixedEncodings}`)
      const wrong = isWindows1252 ? findWrongWord(record) : undefined
      if (wrong !== undefined) throw new FileRefused(`Row ${row}: ${toWrongLetters(wrong)}`)
      if (previous) yield previous
      previous = { row, cells: record, separator }
    }
  } catch (error) {
    if (previous) yield previous
    if (!(error instanceof CsvError)) throw error
    throw new FileRefused(`Row ${countRows() + 1}: ${toMessage(error)}`)
  }
  if (previous) yield { ...previous, isCut: lastByte !== lineFeed && lastByte !== carriageReturn }
}

const [lineFeed, carriageReturn] = Buffer.from('\n\r')

/**
 * Returns why the cells of a row cannot be assigned to the columns, or null. Excel omits blank cells at the end of rows, so
 * missing cells are blank. A row that an unquoted line break has cut looks the same. It has an error only if a required
 * value is missing. Otherwise the check lists the values that it would clear.
 */
export function refuseWidth({ cells, isCut = false }: FileRow, width: number): string | null {
  const isTooLong = cells.slice(width).some((cell) => cell.trim() !== '')
  return isTooLong || (isCut && cells.length < width)
    ? `This row has ${cells.length} cells, the header has ${width}`
    : null
}

export const tooManyRows = 'A file can have at most 1,000,000 rows. Divide it into several files.'

/** A name in quotation marks may contain separators and line breaks. Removes an unclosed one to the end. */
const withoutQuotedText = (start: string): string => start.replaceAll(/"[^"]*(?:"|$)/g, '')

/** Joins the first chunks until they contain the header. */
async function* withWholeHeader(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0)
  for await (const chunk of chunks) {
    start = start && Buffer.concat([start, chunk])
    if (start === null) yield chunk
    else if (withoutQuotedText(start.toString()).includes('\n') || start.length > maxRowLength) {
      yield start
      start = null
    }
  }
  if (start) yield start
}

const mixedEncodings = 'this row is not UTF-8, but rows before it are. Save the file as “CSV UTF-8”.'

function toWrongLetters(word: string): string {
  const shown = word.slice(0, 60).replaceAll(/\p{Cc}/gu, '\ufffd')
  return `letters look wrong (“${shown}”). Save the file as “CSV UTF-8”.`
}

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
  const header = withoutQuotedText(start).split(/\r|\n/, 1)[0] ?? ''
  const count = (sign: string) => header.split(sign).length
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ','
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
