/** A line of a past order, as it is stored. */
export interface StoredLine {
  quantity: number
  name: string
  price_cents: number
  sku?: string
}

export interface FileOrder {
  row: number
  number: string
  email: string
  /** In ISO 8601. */
  placed_at: string
  status: string
  currency: string
  total_cents: number
  name: string
  address: string
  lines: StoredLine[]
}

export interface OrderError {
  row: number
  column: string
  message: string
}

/** Returns the cell of a row in a column; empty if the file does not have it. */
export type ReadCell = (column: string) => string

/** Columns without which a file is refused. */
export const requiredColumns = [
  'Name',
  'Created at',
  'Currency',
  'Total',
  'Lineitem name',
  'Lineitem quantity',
]

const maxLines = 500

/** Control characters and those that change the text direction become spaces. Long texts are cut. */
function toText(cell: string, max: number): string {
  const printable = cell.replaceAll(/[\p{Cc}\p{Cs}\ufffd\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return Array.from(printable).slice(0, max).join('').trim()
}

/** Reads an order from its first row, which has the totals. */
export function readOrder(row: number, cell: ReadCell): FileOrder | { errors: OrderError[] } {
  const errors: OrderError[] = []
  const refuse = (column: string, message: string) => void errors.push({ row, column, message })
  const number = toText(cell('Name'), 100)
  const placedAt = readDate(cell('Created at'))
  if (placedAt === null) refuse('Created at', 'Enter a date such as 2026-03-01 12:00:00 +0100')
  const currency = cell('Currency').trim()
  if (!/^[A-Z]{3}$/.test(currency)) refuse('Currency', 'Enter a currency such as USD')
  const total = readCents(cell('Total'))
  if (total === null) refuse('Total', 'Enter an amount such as 39.90')
  const email = cell('Email').trim().toLowerCase()
  if (email !== '' && !/^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u.test(email))
    refuse('Email', 'This is not an email')
  const found = readLine(row, cell)
  if ('errors' in found) errors.push(...found.errors)
  if (errors.length > 0 || placedAt === null || total === null || 'errors' in found) return { errors }
  return {
    row,
    number,
    email,
    placed_at: placedAt,
    status: readStatus(cell),
    currency,
    total_cents: total,
    name: toText(cell('Shipping Name') || cell('Billing Name'), 200),
    address: readAddress(cell, cell('Shipping Name') || cell('Shipping Street') ? 'Shipping' : 'Billing'),
    lines: [found],
  }
}

/** Adds the line of a further row to its order. Returns the errors. */
export function addLine(order: FileOrder, row: number, cell: ReadCell): OrderError[] {
  const found = readLine(row, cell)
  if ('errors' in found) return found.errors
  if (order.lines.length >= maxLines)
    return [{ row, column: 'Name', message: `An order can have ${maxLines} lines` }]
  order.lines.push(found)
  return []
}

function readLine(row: number, cell: ReadCell): StoredLine | { errors: OrderError[] } {
  const errors: OrderError[] = []
  const quantity = /^\d{1,6}$/.test(cell('Lineitem quantity').trim())
    ? Number(cell('Lineitem quantity'))
    : null
  if (quantity === null) errors.push({ row, column: 'Lineitem quantity', message: 'Enter a whole number' })
  const price = readCents(cell('Lineitem price') || '0')
  if (price === null) errors.push({ row, column: 'Lineitem price', message: 'Enter an amount such as 39.90' })
  if (quantity === null || price === null) return { errors }
  const sku = toText(cell('Lineitem sku'), 100)
  return {
    quantity,
    name: toText(cell('Lineitem name'), 300),
    price_cents: price,
    ...(sku !== '' && { sku }),
  }
}

const readCents = (text: string): number | null =>
  /^\d{1,12}(?:\.\d{1,2})?$/.test(text.trim()) ? Math.round(Number(text) * 100) : null

/** Reads `2026-03-01 12:00:00 +0100`. Without an offset, the time is in UTC. */
function readDate(text: string): string | null {
  const [, day, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d) ?(UTC|Z|[+-]\d\d:?\d\d)?$/.exec(text.trim()) ?? []
  if (!day) return null
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const date = new Date(`${day}T${time}${offset}`)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Such as `cancelled, partially refunded, fulfilled`. */
function readStatus(cell: ReadCell): string {
  const words = [
    cell('Cancelled at').trim() === '' ? '' : 'cancelled',
    cell('Financial Status'),
    cell('Fulfillment Status'),
  ]
  const texts = words.map((word) => toText(word.replaceAll('_', ' '), 60).toLowerCase())
  return [...new Set(texts)].filter((text) => text !== '').join(', ')
}

/** Shopify writes a guard of spreadsheet programs before a postal code. */
function readAddress(cell: ReadCell, kind: 'Shipping' | 'Billing'): string {
  const street = cell(`${kind} Street`) || [cell(`${kind} Address1`), cell(`${kind} Address2`)].join(' ')
  const zip = cell(`${kind} Zip`).replace(/^'/, '')
  const parts = [
    cell(`${kind} Company`),
    street,
    [zip, cell(`${kind} City`)].join(' '),
    cell(`${kind} Province`),
    cell(`${kind} Country`),
  ]
  const texts = parts.map((part) => toText(part, 200))
  return texts
    .filter((text) => text !== '')
    .join(', ')
    .slice(0, 1000)
}
