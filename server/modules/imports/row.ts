import * as z from 'zod/mini'
import { NewProduct } from '../../../contract/catalog.ts'
import { id, pieces } from '../../../contract/fields.ts'
import type { ImportError } from '../../../contract/imports.ts'
import { toCents } from '../../../contract/money.ts'
import type { ProductColumn } from '../../../contract/product-file.ts'
import { unguard } from './formulas.ts'

/** As much as a stock may grow to by restocking; the form for a new product takes less at once. */
const stock = pieces('Quantity is required').check(z.gte(0, 'At least 0'))

/** The contract's own rules for each column. Whether a blank one is wrong depends on the product: see `findErrors`. */
const cells = {
  ...NewProduct.shape,
  id: z.optional(id),
  quantity: z.optional(stock),
  quantity_exported: z.optional(stock),
} satisfies Record<ProductColumn, z.ZodMiniType>

const numbers: ProductColumn[] = ['price', 'quantity', 'quantity_exported', 'minimum']

/** A row as it is kept until it is imported, in the columns of the table `product_import_rows`. */
export interface StagedRow {
  row: number
  new_id: string
  id?: string | undefined
  sku?: string | undefined
  name?: string | undefined
  brand?: string | undefined
  kind?: string | undefined
  category?: string | undefined
  price_cents?: number | undefined
  stock?: number | undefined
  stock_exported?: number | undefined
  minimum_quantity?: number | undefined
  description?: string | undefined
  image?: string | undefined
  supplier?: string | undefined
  gtin?: string | undefined
}

export type RowReader = (record: string[], row: number, newId: string) => StagedRow | ImportError[]

/** Reads the rows of a file that has these columns. */
export function rowReader(columns: ProductColumn[]): RowReader {
  const schema = z.object(Object.fromEntries(columns.map((column) => [column, cells[column]])))
  return (record, row, newId) => {
    if (record.length !== columns.length) {
      const message = `This row has ${record.length} cells, the header has ${columns.length}`
      return [{ row, column: '', message }]
    }
    const result = schema.safeParse(
      Object.fromEntries(columns.map((column, place) => [column, valueOf(column, record[place] ?? '')])),
    )
    if (!result.success) return firstOfEach(result.error.issues, row)
    const { price, quantity, quantity_exported, minimum, ...texts } = result.data as z.infer<typeof Cells>
    return {
      row,
      new_id: newId,
      ...texts,
      ...(price !== undefined && { price_cents: toCents(price) }),
      stock: quantity,
      stock_exported: quantity_exported,
      minimum_quantity: minimum,
    }
  }
}

const Cells = z.partial(z.object(cells))

/** Also as spreadsheet programs write money, with cents that are none: three digits there would be thousands. */
const wholeNumber = /^(-?\d{1,15})(?:[.,]0{1,2})?$/

/** A blank cell has no value; what is no number stays text, and is refused as what it is. */
function valueOf(column: ProductColumn, cell: string): string | number | undefined {
  const text = unguard(cell)
  if (text.trim() === '') return undefined
  if (!numbers.includes(column)) return text
  const [, whole] = wholeNumber.exec(text.trim()) ?? []
  // Not whole: the contract then says that a whole number is needed.
  return whole === undefined ? 0.5 : Number(whole)
}

function firstOfEach(issues: z.core.$ZodIssue[], row: number): ImportError[] {
  const errors = new Map<string, string>()
  for (const { path, message } of issues) {
    const column = String(path[0] ?? '')
    if (!errors.has(column)) errors.set(column, message)
  }
  return [...errors].map(([column, message]) => ({ row, column, message }))
}
