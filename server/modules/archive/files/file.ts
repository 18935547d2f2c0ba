import type { FileKind } from '../../imports/file-kind.ts'
import { type Batch, FileRefused, readRecords } from '../../imports/read-file.ts'
import {
  addLine,
  type FileOrder,
  type OrderError,
  type ReadCell,
  readOrder,
  requiredColumns,
} from '../rules.ts'
import * as queries from './queries.ts'

const ordersAtOnce = 1000

/**
 * Order files of Shopify. Rows with the same `Name` follow each other and are one order; only the first has its totals.
 * Unknown columns are ignored. The orders are for reading: nothing else in the shop changes.
 */
export const shopifyOrderFile: FileKind = {
  rowTable: 'past_order_import_rows',
  read: readOrders,
  insertRows: queries.insertRows,

  async check(tx, importId) {
    const found = await queries.findErrors(tx, importId)
    return { ...found, effect: await queries.countEffect(tx, importId), changes: [] }
  },

  async run(tx, { id }) {
    const effect = await queries.countEffect(tx, id)
    await queries.saveOrders(tx, id)
    return effect
  },
}

/** @throws FileRefused */
async function* readOrders(bytes: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  let readCells: ((cells: string[]) => ReadCell) | null = null
  let orders: FileOrder[] = []
  let errors: OrderError[] = []
  let rowsRead = 0
  /** The order of the rows before; null if it has an error. */
  let open = null as { number: string; order: FileOrder | null } | null
  const toBatch = (): Batch => ({ columns: [], rows: orders, errors, rowsRead })

  for await (const { row, cells } of readRecords(bytes)) {
    if (!readCells) {
      readCells = openHeader(cells)
      continue
    }
    // Without the orders, the last of which may still get lines.
    if (errors.length >= ordersAtOnce) {
      yield { ...toBatch(), rows: [] }
      errors = []
    }
    rowsRead = row - 1
    const cell = readCells(cells)
    const number = cell('Name').trim()
    if (number === '') {
      if (cells.some((each) => each.trim() !== ''))
        errors.push({ row, column: 'Name', message: 'Enter the order number' })
    } else if (open?.number === number) {
      if (open.order) errors.push(...addLine(open.order, row, cell))
    } else {
      // The last order may still get lines.
      if (orders.length + errors.length >= ordersAtOnce) {
        yield toBatch()
        orders = []
        errors = []
      }
      const found = readOrder(row, cell)
      const order = 'errors' in found ? null : found
      if ('errors' in found) errors.push(...found.errors)
      else orders.push(found)
      open = { number, order }
    }
  }
  if (rowsRead === 0) throw new FileRefused('The file has a header but no rows.')
  yield toBatch()
}

/** Returns a function that reads the cells of a row. @throws FileRefused */
function openHeader(header: string[]): (cells: string[]) => ReadCell {
  const places = new Map(header.map((name, index) => [name.trim().toLowerCase(), index]))
  const missing = requiredColumns.filter((column) => !places.has(column.toLowerCase()))
  if (missing.length > 0) {
    const names = missing.map((name) => `“${name}”`).join(', ')
    throw new FileRefused(
      `Row 1: ${missing.length === 1 ? 'the column' : 'the columns'} ${names} ${missing.length === 1 ? 'is' : 'are'} missing. Export the orders in the admin of Shopify as a CSV file.`,
    )
  }
  return (cells) => (column) => cells[places.get(column.toLowerCase()) ?? -1] ?? ''
}
