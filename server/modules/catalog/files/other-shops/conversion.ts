import { compile } from 'html-to-text'
import { gtin, imageUrl } from '../../../../../contract/fields.ts'
import { type ImportNote, maxListedExamples } from '../../../../../contract/imports.ts'
import { maxPictures, pictureSeparator } from '../../../../../contract/product-pictures.ts'
import { toWholeNumber } from '../../../../../contract/typed-numbers.ts'
import { parseFilePrice, toExcerpt, unguard } from '../../../imports/read-file.ts'

/** A row of the file. `problem`: why its cells cannot be assigned to columns. */
export interface SourceRow {
  row: number
  cells: string[]
  problem?: string | undefined
}

export type Values = Record<string, unknown>

/** A row of our format. `errors`: of values that have no column in our format. */
export interface SourceVariant {
  source: SourceRow
  /** Without `quantity`: the stock is not tracked, or shared. */
  values: Values
  /** Several variants have one stock: how many are of this one is unknown. */
  sharesStock?: boolean
  errors?: { column: string; message: string }[]
}

/** A product of the file, in the values of our format. */
export interface SourceProduct {
  /** The row with the values that its variants share. It can be one of the variants. */
  first: SourceRow
  shared: Values
  /** The path in the other shop. */
  oldPath: string
  hasOptions: boolean
  variants: SourceVariant[]
  /** The file lacks the row of the product. Its variants have the error. */
  isLost?: true
}

/** Converts the rows of a file. Only depends on its arguments. */
export interface Converter {
  /** Returns our columns that the rows have up to now, and their names there. */
  theirs: () => Record<string, string>
  /** Adds a row. Returns the products that it completes. */
  add: (row: SourceRow) => SourceProduct[]
  /** Returns the other products. */
  end: () => Iterable<SourceProduct>
}

/** Collects remarks on rows by their text. */
export interface Notes {
  add: (text: string, row: number) => void
  /** For a product that is not imported. */
  leaveOut: (reason: string, row: number) => void
  list: () => ImportNote[]
  /** The number of products that are not imported. */
  leftOut: () => number
}

/** More than the columns of any shop. */
const maxNotes = 500

export function createNotes(): Notes {
  const notes = new Map<string, ImportNote>()
  let leftOut = 0
  function add(text: string, row: number, more: Pick<ImportNote, 'leftOut'> = {}) {
    const key = `${more.leftOut} ${text}`
    const known = notes.get(key)
    if (known) {
      known.count += 1
      if (known.rows.length < maxListedExamples) known.rows.push(row)
    } else if (notes.size < maxNotes) notes.set(key, { text, count: 1, rows: [row], ...more })
  }
  return {
    add: (text, row) => add(text, row),
    leaveOut(reason, row) {
      leftOut += 1
      add(reason, row, { leftOut: true })
    },
    list: () => [...notes.values()],
    leftOut: () => leftOut,
  }
}

/** Returns the place of each column, by any of its names in lower case. */
export function findPlaces<Field extends string>(
  header: string[],
  names: Record<Field, readonly string[]>,
): Partial<Record<Field, number>> {
  const keys = header.map(toKey)
  const entries = Object.entries<readonly string[]>(names).map(
    ([field, known]) => [field, keys.findIndex((key) => known.includes(key))] as const,
  )
  return Object.fromEntries(entries.filter(([, place]) => place !== -1)) as Partial<Record<Field, number>>
}

/**
 * Returns the name in the file of each of our columns: of the first place that the file has.
 *
 * @param sources the columns of the file from which ours come
 * @param others the places of columns without a fixed name
 */
export function nameColumns<Field extends string>(
  header: string[],
  places: Partial<Record<Field, number>>,
  sources: Record<string, readonly Field[]>,
  others: Record<string, readonly (number | undefined)[]> = {},
): Record<string, string> {
  const known = Object.entries(sources).map(
    ([ours, fields]) => [ours, fields.map((field) => places[field])] as const,
  )
  return Object.fromEntries(
    [...known, ...Object.entries(others)].flatMap(([ours, found]) => {
      const place = found.find((each) => each !== undefined)
      return place === undefined ? [] : [[ours, header[place]?.trim() ?? '']]
    }),
  )
}

export const toKey = (name: string) => name.trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Returns the text of a cell; empty if the file lacks the column. */
export const readCell = ({ cells }: SourceRow, place: number | undefined): string =>
  place === undefined ? '' : unguard(cells[place] ?? '').trim()

/** A blank cell is undefined, as in a file of this shop. */
export const orBlank = (text: string): string | undefined => (text === '' ? undefined : text)

/** Columns that are not imported: a pattern of their names in lower case, and the remark if one has a value. */
export type NotImported = readonly (readonly [RegExp, string])[]

/**
 * Returns a function that notes the values of a row that are not imported. Columns without a pattern are noted once.
 *
 * @param used places of columns that are imported
 * @param ignored columns that say nothing about a product here
 */
export function createColumnNotes(
  header: string[],
  { used, notImported, ignored }: { used: Set<number>; notImported: NotImported; ignored: RegExp },
  notes: Notes,
): (row: SourceRow) => void {
  const places = new Map<string, number[]>()
  const unknown: string[] = []
  header.forEach((name, place) => {
    const key = toKey(name)
    if (used.has(place) || key === '' || ignored.test(key)) return
    const [, text] = notImported.find(([pattern]) => pattern.test(key)) ?? []
    if (text === undefined) unknown.push(name)
    else places.set(text, [...(places.get(text) ?? []), place])
  })
  if (unknown.length > 0) notes.add(describeUnknown(unknown), 1)
  const noted = [...places]
  return (row) => {
    for (const [text, ofText] of noted) {
      if (ofText.some((place) => (row.cells[place] ?? '').trim() !== '')) notes.add(text, row.row)
    }
  }
}

const maxListedColumns = 20

function describeUnknown(columns: string[]): string {
  const listed = columns.slice(0, maxListedColumns).map((name) => `“${toExcerpt(name)}”`)
  const more = columns.length > maxListedColumns ? ` and ${columns.length - maxListedColumns} more` : ''
  return `Unknown columns are not imported: ${listed.join(', ')}${more}`
}

const skipped = ['img', 'script', 'style', 'iframe', 'object', 'svg', 'template', 'noscript']
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const toPlainText = compile({
  wordwrap: false,
  selectors: [
    ...skipped.map((selector) => ({ selector, format: 'skip' })),
    ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'ul', options: { itemPrefix: '• ' } },
    { selector: 'table', options: { uppercaseHeaderCells: false } },
  ],
})

const maxDescriptionLength = 4000

/** Line breaks and tabs are allowed in a description. */
const notPrintable = /(?![\t\n])[\p{Cc}\p{Cs}\ufffd\u2028-\u202e\u2066-\u2069]/gu

/** Converts a description from HTML to text. A text without tags keeps its line breaks. Notes a longer one. */
export function toDescription(html: string, row: number, notes: Notes): string | undefined {
  const isHtml = /<[a-z!/]|&[a-z#]/i.test(html)
  const text = (isHtml ? toPlainText(html) : html)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(notPrintable, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  if (text.length <= maxDescriptionLength) return orBlank(text)
  notes.add('The description is cut at 4,000 characters', row)
  // A character outside of the basic plane has two units.
  return text
    .slice(0, maxDescriptionLength)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}

/** Decodes the entities of a text in one line. Signs such as `<` stay. */
export const decodeEntities = (text: string): string =>
  /&(?:#\d+|#x[\da-f]+|\w+);/i.test(text) ? toPlainText(text.replaceAll('<', '&lt;')) : text

const sizeNames = ['size', 'größe', 'grösse', 'groesse', 'taille']
const colourNames = ['color', 'colour', 'farbe', 'couleur']
const toOptionColumn = (name: string): 'size' | 'colour' | null => {
  const key = toKey(name).normalize('NFC')
  return sizeNames.includes(key) ? 'size' : colourNames.includes(key) ? 'colour' : null
}

/** Returns our column for each option. Options that we do not have take a free column, or are joined to another one. */
export function assignOptions(names: string[]): ('size' | 'colour')[] {
  const columns = names.map(toOptionColumn)
  const isFree = (column: 'size' | 'colour') => !columns.includes(column)
  let last: 'size' | 'colour' = 'size'
  names.forEach((_, index) => {
    if (columns[index] !== null) return
    if (isFree('size')) last = 'size'
    else if (isFree('colour')) last = 'colour'
    columns[index] = last
  })
  return columns.map((column) => column ?? 'size')
}

/** Returns the size and colour of a variant, and notes the options that have another name. */
export function toChoice(
  names: string[],
  values: string[],
  row: number,
  notes: Notes,
): { size?: string; colour?: string } {
  const columns = assignOptions(names)
  const parts = { size: [] as string[], colour: [] as string[] }
  names.forEach((name, index) => {
    const [column, value] = [columns[index] ?? 'size', values[index] ?? '']
    if (value === '') return
    parts[column].push(value)
    if (toOptionColumn(name) === null) notes.add(`The option “${toExcerpt(name)}” becomes the ${column}`, row)
  })
  const [size, colour] = [parts.size.join(' / '), parts.colour.join(' / ')]
  return { ...(size && { size }), ...(colour && { colour }) }
}

/** Returns a GTIN. Notes a wrong one, which is left blank. */
export function toGtin(text: string, row: number, notes: Notes): string | undefined {
  if (gtin.safeParse(text).success) return orBlank(text)
  notes.add('A bar code that is not a valid GTIN is left blank', row)
  return undefined
}

/** Returns the URL of a picture. Notes one that is not valid: a picture must not prevent the import of its product. */
export function toImage(text: string, row: number, notes: Notes): string | undefined {
  if (text === '') return undefined
  // Spaces are encoded.
  const url = [text, URL.parse(text)?.href].find((each) => imageUrl.safeParse(each).success)
  if (url === undefined) notes.add('A picture without a valid address is left out', row)
  return url
}

/**
 * Returns all pictures of a product. The check leaves out the first one, which depends on the stored product. Notes those
 * that are too many.
 */
export function toPictures(images: string[], row: number, notes: Notes): string | undefined {
  const all = [...new Set(images)]
  if (all.length > maxPictures) notes.add(`Only the first ${maxPictures} pictures are imported`, row)
  const listed = all.slice(0, maxPictures).map((image) => image.replaceAll(';', '%3B'))
  return orBlank(listed.join(pictureSeparator))
}

/** Converts a price, which may have a decimal comma. A blank one is undefined. */
export const toPrice = (text: string): number | string | undefined =>
  text === '' ? undefined : parseFilePrice(text, ';')

/** Returns a counted stock, which is not below 0. */
export function toStock(text: string, row: number, notes: Notes): number {
  const stock = toWholeNumber(text)
  if (stock >= 0) return stock
  notes.add('A stock below 0 becomes 0', row)
  return 0
}

/** Converts a weight to whole grams; undefined if it is 0 or blank. Text becomes a value that the rules reject. */
export function toGrams(text: string, gramsPerUnit: number): number | undefined {
  if (text === '') return undefined
  // Other shops convert weights from other units without rounding: `192.011320125625`.
  if (!/^\d{1,9}(?:[.,]\d{1,20})?$/.test(text)) return toWholeNumber('')
  const amount = Number(text.replace(',', '.'))
  return amount === 0 ? undefined : Math.max(1, Math.round(amount * gramsPerUnit))
}
