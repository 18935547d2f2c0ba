import * as z from 'zod/mini'
import { EditedProduct, productOptions } from '../../../../../contract/catalog.ts'
import { id, line, pieces } from '../../../../../contract/fields.ts'
import { type ProductFileColumn, productFileColumns } from '../../../../../contract/imports.ts'
import { parseDollars } from '../../../../../contract/money.ts'
import { productColumns } from '../../../../../contract/product-columns.ts'
import { EditedVariant, variantColumns } from '../../../../../contract/variants.ts'
import { newId } from '../../../../platform/database/database.ts'
import { catalogChanged, type FileKind } from '../../../imports/file-kind.ts'
import { type FileFormat, FileRefused, readFile } from '../../../imports/read-file.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

/** Allows more than the form for a new product, because restocking can lead to such a stock. */
const stock = pieces('Quantity is required').check(z.gte(0, 'At least 0'))

/** The contract's rules for each column. `findErrors` checks for missing required values. */
const rules = {
  ...EditedProduct.shape,
  id: z.optional(id),
  quantity: z.optional(stock),
  quantity_exported: z.optional(stock),
  options: z.optional(z.enum(productOptions, `Valid options are ${productOptions.join(', ')}`)),
  group: z.optional(line(200)),
  size: EditedVariant.shape.size,
  colour: EditedVariant.shape.colour,
  swatch: EditedVariant.shape.swatch,
  weight: EditedVariant.shape.weight,
  shelf: EditedVariant.shape.shelf,
} satisfies Record<ProductFileColumn, z.ZodMiniType>

const format: FileFormat = {
  columns: Object.fromEntries(productFileColumns.map((column) => [column, rules[column]])),
  numbers: [
    'quantity_exported',
    ...[...productColumns, ...variantColumns]
      .filter(({ type }) => type === 'integer')
      .map(({ name }) => name),
  ],
  parsers: { price: parseDollars },
  refuseColumns(columns) {
    if (!columns.includes('id') && !columns.includes('sku')) {
      return 'a “sku” or “id” column is required to match products.'
    }
    if (columns.includes('quantity_exported') && !columns.includes('quantity')) {
      return '“quantity_exported” requires the column “quantity”.'
    }
    return null
  },
  finishRow: (values) => ({ row: { new_id: newId(), ...values } }),
}

const rowsAtOnce = 5000

/** Product files, with variants and stock. */
export const productFile: FileKind = {
  rowTable: 'product_import_rows',
  read: (bytes) => readFile(bytes, format),
  insertRows: queries.insertRows,

  async check(tx, importId, columns) {
    await queries.matchRows(tx, importId, columns)
    return {
      ...(await queries.findErrors(tx, importId, columns)),
      effect: await queries.countEffect(tx, importId, columns),
      changes: await queries.listChanges(tx, importId, columns),
    }
  },

  /** Adds the new products and variants, then changes the locked ones. */
  async run(tx, file, by, onProgress) {
    const { id, columns } = file
    // The catalog may have changed since the check.
    await queries.matchRows(tx, id, columns)
    if ((await queries.findErrors(tx, id, columns)).total > 0) throw new FileRefused(catalogChanged)
    await repository.lockChanges(tx, id, columns)
    // Prices may have changed until they were locked.
    await queries.setTargets(tx, id, columns, { onlyLocked: true })
    await repository.preserveOtherPrices(tx, id)
    await repository.releaseTakenKeys(tx, id)

    let [added, changed] = [0, 0]
    const eachSpan = async (half: 0 | 1, handle: (span: repository.Span) => Promise<void>) => {
      for (let from = 1; from <= file.rows + 1; from += rowsAtOnce) {
        await onProgress((half * file.rows + Math.min(from - 1, file.rows)) / (2 * file.rows))
        await handle({ importId: id, from, to: from + rowsAtOnce - 1 })
      }
    }
    await eachSpan(0, async (span) => {
      added += await repository.addProducts(tx, span, by)
    })
    await eachSpan(1, async (span) => {
      const effect = await repository.changeProducts(tx, span, columns, by)
      if (effect.lost > 0) throw new FileRefused(catalogChanged)
      changed += effect.changed
    })
    const products = file.added + file.changed + file.unchanged
    return { added, changed, unchanged: products - added - changed }
  },
}
