import * as z from 'zod/mini'
import { NewProduct } from '../../../contract/catalog.ts'
import { id, pieces } from '../../../contract/fields.ts'
import type { ImportError } from '../../../contract/imports.ts'
import { toCents } from '../../../contract/money.ts'
import { type ProductSqlName, productColumns } from '../../../contract/product-columns.ts'
import type { ProductFileColumn } from '../../../contract/product-file.ts'
import { unguard } from './formulas.ts'

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
export type StagedRow = { row: number; new_id: string; id?: string; stock_exported?: number } & {
  [Column in ProductSqlName]?: string | number
}

export type RowReader = (record: string[], row: number, newId: string) => StagedRow | ImportError[]

/** Creates a reader for rows with these columns. */
export function rowReader(columns: ProductFileColumn[]): RowReader {
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
