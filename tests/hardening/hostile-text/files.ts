import type { ImportKind } from '../../../contract/imports.ts'
import type { Caller } from '../../call.ts'
import { checkFile, runImport } from '../../product-import.ts'

/** A text of the file, by the number of its row. */
type Valid = (row: number) => string

/** A column with hostile texts, which are cut; a cell that refuses its text has a plain one. */
interface TextColumn {
  max: number
  valid?: Valid
  /** Before each text. */
  prefix?: string
}

type Column = TextColumn | string | Valid

const text = (max: number, valid?: Valid): TextColumn => ({ max, ...(valid && { valid }) })
const plainText = 'Plain text'

/** Files of each kind with their columns. Fitments and part numbers belong to the products of the first file. */
export const hostileFiles: readonly { kind: ImportKind; columns: Record<string, Column> }[] = [
  {
    kind: 'products',
    columns: {
      sku: (row) => `H-${row}`,
      name: text(120),
      brand: text(60),
      kind: text(60),
      price: '40',
      quantity: '5',
      minimum: '1',
      description: text(2_000),
      image: text(500, () => '/pictures/chain.svg'),
      supplier: text(80),
      returns: text(200),
      group: (row) => `G-${row}`,
      size: text(40),
      colour: text(40),
      swatch: text(20, () => '#1d3f8f'),
      shelf: text(20),
    },
  },
  {
    kind: 'shopify-products',
    columns: {
      Title: text(120),
      'URL handle': (row) => `shopify-${row}`,
      Description: text(2_000),
      Vendor: text(60),
      Type: text(60),
      Tags: text(60),
      'Published on online store': 'TRUE',
      Status: 'active',
      SKU: (row) => `S-${row}`,
      'Option1 name': text(40),
      'Option1 value': text(40),
      Price: '40',
      'Inventory tracker': 'shopify',
      'Inventory quantity': '5',
      'Product image URL': text(500, (row) => `https://cdn.shop.example/${row}.jpg`),
    },
  },
  {
    kind: 'woocommerce-products',
    columns: {
      ID: (row) => String(row),
      Type: 'simple',
      SKU: (row) => `W-${row}`,
      // The address of the product is made from its name.
      Name: { max: 120, prefix: 'Plain ' },
      Published: '1',
      'Visibility in catalog': 'visible',
      'Short description': text(500),
      Description: text(2_000),
      'In stock?': '1',
      Stock: '5',
      'Regular price': '40',
      Categories: text(60),
      Brands: text(60),
      Images: text(500, (row) => `https://shop.example/${row}.jpg`),
      'Attribute 1 name': text(40),
      'Attribute 1 value(s)': text(40),
    },
  },
  {
    kind: 'bikes',
    columns: {
      make: text(60, (row) => `Make ${row}`),
      model: text(80, (row) => `Model ${row}`),
      year_from: '2012',
      version: text(40),
      source: text(80),
      aliases: text(80, (row) => `k${row}`),
    },
  },
  {
    kind: 'fitments',
    columns: {
      part_number: (row) => `H-${row}`,
      make: 'Hayashi',
      model: 'K6',
      year_from: '2012',
      version: text(40, () => ''),
      note: text(200),
      source: text(80),
    },
  },
  {
    kind: 'part-numbers',
    columns: {
      part_number: (row) => `H-${row}`,
      kind: 'oem',
      maker: text(80),
      number: text(40, (row) => `N-${row}`),
    },
  },
  {
    kind: 'aces-codes',
    columns: { kind: 'submodel', id: (row) => String(row), value: text(40) },
  },
  {
    kind: 'redirects',
    columns: {
      'redirect from': { max: 400, valid: (row) => `/old/${row}`, prefix: '/old/' },
      'redirect to': { max: 400, valid: () => '/products', prefix: '/' },
    },
  },
  {
    kind: 'shopify-orders',
    columns: {
      Name: (row) => `#${row}`,
      Email: 'robin@example.com',
      'Created at': '2026-03-01 12:00:00 +0100',
      Currency: 'USD',
      Total: '9',
      'Lineitem quantity': '1',
      'Lineitem name': text(200),
      'Lineitem price': '9',
      'Lineitem sku': text(40),
      'Shipping Name': text(80),
      'Shipping Street': text(80),
      'Shipping City': text(80),
    },
  },
]

/** Some checks name only the first error of a product. */
const maxAttempts = 15

/**
 * Imports a file with one row for each text, in all of its columns. Cells that the check refuses then have valid texts.
 *
 * @returns the number of rows, and of refused cells; or a message if the file cannot be imported
 */
export async function importHostile(
  caller: Caller,
  as: { token: string },
  { kind, columns }: (typeof hostileFiles)[number],
  texts: readonly string[],
): Promise<{ rows: number; refused: number } | string> {
  const names = Object.keys(columns)
  // A file that is not UTF-8 is refused as a whole.
  const storable = texts.filter((each) => each.isWellFormed())
  const refused = new Set<string>()
  const left = new Set<number>()
  let last = ''
  const toCell = (name: string, row: number, hostile: string) => {
    const column = columns[name] ?? ''
    if (typeof column === 'string') return column
    if (typeof column === 'function') return column(row)
    return refused.has(`${row} ${name.toLowerCase()}`)
      ? (column.valid?.(row) ?? plainText)
      : (column.prefix ?? '') + Array.from(hostile).slice(0, column.max).join('')
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    // Row 1 is the header. Rows that are left out stay as empty ones, so that the others keep their numbers.
    const rows = storable.map((hostile, index) =>
      left.has(index + 2) ? '' : names.map((name) => quote(toCell(name, index + 2, hostile))).join(','),
    )
    const checked = await checkFile(caller, as, [names.map(quote).join(','), ...rows].join('\n'), kind)
    if (checked.state === 'failed') return `the file of ${kind} was refused: ${checked.failure} (${last})`
    if (checked.errorCount === 0) {
      const done = await runImport(caller, as, checked)
      if (done.state !== 'done') return `the import of ${kind} failed: ${done.failure} (${last})`
      return { rows: storable.length - left.size, refused: refused.size }
    }
    for (const { row, column, message } of checked.errors) {
      last = `attempt ${attempt}: ${column} in row ${row}: ${message}`
      const cell = `${row} ${column.toLowerCase()}`
      const isText = names.some((name) => name.toLowerCase() === column.toLowerCase())
      // A valid text is refused as well, or the whole row is wrong.
      if (!isText || refused.has(cell)) left.add(row)
      refused.add(cell)
    }
  }
  return `the file of ${kind} had errors ${maxAttempts} times (${last})`
}

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
