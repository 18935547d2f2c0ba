import * as z from 'zod/mini'
import { trimLine } from '../../../contract/fields.ts'
import {
  type ImportError,
  type ImportKind,
  type ImportNote,
  importKindNames,
  type LeftOutBrand,
  maxFileRows,
} from '../../../contract/imports.ts'
import type { ColumnMapping, FileEncoding, PreviewColumn } from '../../../contract/supplier-files.ts'
import { parseDollars, toWholeNumber } from '../../../contract/typed-numbers.ts'
import { FileRefused, type FileRow, readRecords, refuseWidth, tooManyRows } from './read-records.ts'

export { FileRefused, readRecords, refuseWidth, tooManyRows } from './read-records.ts'

/** A part of a file. */
export interface Batch {
  columns: string[]
  /** Valid rows, each with its number in `row`. */
  rows: object[]
  errors: ImportError[]
  /** Rows with errors, if an import of this kind can leave them out. */
  wrong?: WrongRow[]
  /** Rows since the start of the file, without the header. */
  rowsRead: number
  /** The first row of a CSV file, the shop's names of these columns, and the separator of the cells. */
  header?: string[]
  names?: ColumnName[]
  separator?: string
  /** Applications since the start of an ACES file, or products since the start of a file of another shop. */
  leftOut?: { count: number; brands: LeftOutBrand[] }
  /** Remarks since the start of a file of another shop. */
  notes?: ImportNote[]
  /** The name in the file for columns of the shop. Without it, the file has the names of the shop. */
  theirs?: Record<string, string>
}

/** A row that could not be read. `product_key`: the cell that names its product. */
export interface WrongRow {
  row: number
  cells: string[]
  errors: { column: string; message: string }[]
  product_key: string | null
}

/** A kind of CSV file. */
export interface FileFormat {
  /** The rules of each column, in the order of an export. */
  columns: Record<string, z.ZodMiniType>
  /** Columns of whole numbers. */
  numbers: readonly string[]
  /** Columns of prices, in dollars with cents. */
  prices?: readonly string[]
  /** Columns of numbers with decimals, as texts. */
  decimals?: readonly string[]
  /** Names the product, all rows of which are left out together. Without it, rows with errors cannot be left out. */
  productColumn?: string
  /** Returns why these columns are refused, or null. */
  refuseColumns: (columns: string[]) => string | null
  /** Converts the values of a row to what `insertRows` stores. Returns the messages of errors by column instead. */
  finishRow: (values: Record<string, unknown>) => { row: object } | { errors: Record<string, string> }
}

/** How the files of a supplier are read. */
interface FileSource {
  columns?: ColumnMapping
  encoding?: FileEncoding
  /** The chosen kind of file. An error of the header names another kind if the file seems to be of that. */
  kind?: ImportKind
}

export const rowsAtOnce = 2500

export const emptyFirstRow = 'The first row is empty. It must have the column names.'

/**
 * Reads a file: CSV in UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons or tabs. Between semicolons and tabs
 * a price may have a decimal comma. Holds one batch of rows in memory.
 *
 * @throws FileRefused if the file or the rest of it cannot be read
 */
export async function* readFile(
  bytes: AsyncIterable<Buffer>,
  format: FileFormat,
  source: FileSource = {},
): AsyncGenerator<Batch> {
  let batch: Batch & { wrong: WrongRow[] } = { columns: [], rows: [], errors: [], wrong: [], rowsRead: 0 }
  let readRow: ReturnType<typeof rowReader> | null = null
  for await (const record of readRecords(bytes, source.encoding)) {
    const { row, cells, separator } = record
    if (!readRow) {
      if (row > 1) throw new FileRefused(emptyFirstRow)
      const names = readHeader(cells, format, source)
      batch = { ...batch, columns: names.filter(isNamed), header: cells.map(withoutNul), names, separator }
      readRow = rowReader(names, separator, format)
      continue
    }
    batch.rowsRead = row - 1
    if (batch.rowsRead > maxFileRows) throw new FileRefused(tooManyRows)
    if (cells.some((cell) => cell !== '')) {
      const found = readRow(record)
      if ('errors' in found) {
        batch.errors.push(...found.errors.map((error) => ({ row, ...error })))
        if (format.productColumn !== undefined) batch.wrong.push({ row, ...found })
      } else batch.rows.push(found)
    }
    if (batch.rows.length + batch.errors.length >= rowsAtOnce) {
      yield batch
      batch = { ...batch, rows: [], errors: [], wrong: [] }
    }
  }
  if (batch.rowsRead === 0) throw new FileRefused('The file has a header but no rows.')
  yield batch
}

/** Postgres stores no NUL in JSON. */
export const withoutNul = (cell: string) => (cell.includes('\0') ? cell.replaceAll('\0', '') : cell)

/** Control characters, and characters that change the text direction. */
const unprintable = /[\p{Cc}\p{Cs}\ufffd\u2028-\u202e\u2066-\u2069]/gu

/** Returns at most 60 printable characters of a text in a file, for a message. */
export function toExcerpt(text: string): string {
  const [shown = ''] = /^.{0,60}/su.exec(text.replaceAll(unprintable, '')) ?? []
  return shown
}

const maxListedColumns = 20

/** A column that the import adds to the rows that it has left out. It is ignored, so that a fixed file can be imported. */
export const reasonColumn = 'reason'

/** By which a stored column is found. It was stored by the excerpt of its name, which the admin saw. */
export const toColumnKey = (name: string): string => toExcerpt(name).trim().toLowerCase()

/**
 * Returns the names of the columns as an admin sees them. A repeated name gets a number, so that each column has a key of
 * its own. All columns without a name have the same key, and so do all columns of reasons.
 */
export function toColumnNames(header: string[]): string[] {
  const taken = new Set<string>()
  // The last number of each name, because a file can have one name for all its columns.
  const numbers = new Map<string, number>()
  return header.map((name) => {
    const key = toColumnKey(name)
    let shown = toExcerpt(name)
    if (key === '' || key === reasonColumn) return shown
    let number = numbers.get(key) ?? 1
    while (taken.has(toColumnKey(shown))) {
      number += 1
      const end = ` (${number})`
      // A key has the first 60 characters, and must have the number.
      shown = Array.from(toExcerpt(name).trim())
        .slice(0, 60 - end.length)
        .join('')
        .concat(end)
    }
    numbers.set(key, number)
    taken.add(toColumnKey(shown))
    return shown
  })
}

/** Null: the column is not imported. Empty: it has no name. */
type ColumnName = string | null

const isNamed = (name: ColumnName): name is string => name !== null && name !== ''

/** Columns by which a kind of file is recognized: one of each group. */
const signs: Partial<Record<ImportKind, string[][]>> = {
  'shopify-products': [
    ['url handle', 'handle'],
    ['title'],
    ['option1 name', 'option1 value', 'variant price'],
  ],
  'woocommerce-products': [['type'], ['name'], ['regular price', 'visibility in catalog']],
  redirects: [['redirect from'], ['redirect to']],
  products: [['sku', 'id'], ['name'], ['minimum']],
}

/** Returns why a file seems to be of another kind than the chosen one, or null. */
export function findOtherKind(header: string[], chosen: ImportKind): string | null {
  const names = new Set(header.map(toColumnKey))
  const isKind = (kind: ImportKind) =>
    signs[kind]?.every((group) => group.some((name) => names.has(name))) ?? false
  const kinds = Object.keys(signs) as ImportKind[]
  const found = kinds.find(isKind)
  if (!found || isKind(chosen)) return null
  return `This file has the columns of “${importKindNames[found]}”. Choose that as the content of the file, and upload it again.`
}

/** Returns the shop's name of each column: the stored one, or else its own name. Null: it is not imported. */
export function matchColumns(header: string[], known: string[], stored: ColumnMapping = {}): PreviewColumn[] {
  return toColumnNames(header).map((theirs, index) => {
    const key = toColumnKey(theirs)
    const own = toColumnKey(header[index] ?? '')
    if (Object.hasOwn(stored, key)) return { theirs, ours: stored[key] ?? null, from: 'saved' }
    if (known.includes(own)) return { theirs, ours: own, from: 'name' }
    // The column of a file with left out rows.
    if (key === reasonColumn || key === '') return { theirs, ours: null, from: 'name' }
    return { theirs, ours: null }
  })
}

/** Returns the shop's names of the columns. @throws FileRefused */
function readHeader(
  record: string[],
  format: FileFormat,
  { columns: stored, kind }: FileSource,
): ColumnName[] {
  const known = Object.keys(format.columns)
  const names = matchColumns(record, known, stored).map(({ theirs, ours, from }) => {
    const key = toColumnKey(theirs)
    // The error lists columns that the shop does not know.
    return ours === null && from !== 'saved' && key !== reasonColumn ? key : ours
  })
  const refused = refuseHeader(names, known) ?? format.refuseColumns(names.filter(isNamed))
  if (refused) throw new FileRefused((kind && findOtherKind(record, kind)) ?? `Row 1: ${refused}`)
  return names
}

/** Returns why these columns are refused, or null. */
export function refuseHeader(names: ColumnName[], known: string[]): string | null {
  const named = names.filter(isNamed)
  const unknown = named.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const listed = unknown.slice(0, maxListedColumns).map((name) => `“${toExcerpt(name)}”`)
    const columns = unknown.length === 1 ? 'column' : 'columns'
    return `unknown ${columns} ${listed.join(', ')}. Valid columns are ${known.join(', ')}.`
  }
  const twice = named.find((name, index) => named.indexOf(name) < index)
  return twice === undefined ? null : `the column “${twice}” appears twice.`
}

/** For `refuseColumns` of files that must have these columns. */
export const requireColumns =
  (required: readonly string[]) =>
  (columns: string[]): string | null => {
    const missing = required.find((column) => !columns.includes(column))
    return missing === undefined ? null : `the column “${missing}” is missing.`
  }

/** Creates a reader for rows with these columns. It returns the row, or the first error of each column. */
function rowReader(
  names: ColumnName[],
  separator: string,
  { columns: rules, numbers, prices = [], decimals = [], productColumn, finishRow }: FileFormat,
): (record: FileRow) => object | Omit<WrongRow, 'row'> {
  const columns = names.filter(isNamed)
  const schema = z.object(Object.fromEntries(columns.map((column) => [column, rules[column] ?? z.never()])))
  const productIndex = names.findIndex((name) => name === productColumn)
  const toValue = (column: string, cell: string): unknown => {
    const text = unguard(cell)
    if (trimLine(text) === '') return undefined
    if (numbers.includes(column)) return toWholeNumber(text)
    if (decimals.includes(column)) return withDecimalPoint(text, separator)
    return prices.includes(column) ? parseFilePrice(text, separator) : text
  }
  function read(record: FileRow): { row: object } | { errors: WrongRow['errors'] } {
    const refused = refuseWidth(record, names.length)
    if (refused !== null) return { errors: [{ column: '', message: refused }] }
    const cells = names.map((_, index) => record.cells[index] ?? '')
    const unnamed = names.findIndex((name, index) => name === '' && cells[index]?.trim() !== '')
    if (unnamed !== -1) {
      const message = `Cell ${unnamed + 1} has a value, but its column has no name`
      return { errors: [{ column: '', message }] }
    }
    const values = names.flatMap((name, index): [string, unknown][] =>
      isNamed(name) ? [[name, toValue(name, cells[index] ?? '')]] : [],
    )
    const { data, error } = schema.safeParse(Object.fromEntries(values))
    if (error) return { errors: firstErrorPerColumn(error.issues) }
    const finished = finishRow(data)
    if (!('errors' in finished)) return finished
    return { errors: Object.entries(finished.errors).map(([column, message]) => ({ column, message })) }
  }
  return (record) => {
    const { row } = record
    const found = read(record)
    const cells = record.cells.map(withoutNul)
    if ('row' in found)
      return productColumn === undefined ? { row, ...found.row } : { row, cells, ...found.row }
    return { ...found, cells, product_key: unguard(cells[productIndex] ?? '').trim() || null }
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
  return separator === ',' && text.includes(',') ? text : parseDollars(text)
}

/** Converts a decimal comma, if no comma separates the cells. */
const withDecimalPoint = (text: string, separator: string): string =>
  separator !== ',' && /^\s*-?\d{1,6},\d{1,3}\s*$/.test(text) ? text.replace(',', '.') : text

const guarded = /^'+[=+\-@\t\r＝＋－＠]/

/** How other programs write a text of digits for Excel, which otherwise drops its zeros: `="0815"`. */
const textFormula = /^="((?:[^"]|"")*)"$/

/** Removes the apostrophe that the export puts before possible formulas, see `guardFormulas`. Reads a formula of one text. */
export function unguard(cell: string): string {
  if (guarded.test(cell)) return cell.slice(1)
  const [, text] = textFormula.exec(cell) ?? []
  return text === undefined ? cell : text.replaceAll('""', '"')
}

/** Returns the first error of each column. */
export function firstErrorPerColumn(issues: z.core.$ZodIssue[]): { column: string; message: string }[] {
  const errors = issues.map(({ path, message }) => ({ column: String(path[0] ?? ''), message }))
  return errors.filter(({ column }, index) => errors.findIndex((one) => one.column === column) === index)
}
