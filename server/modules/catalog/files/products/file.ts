import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { EditedProduct, productOptions } from '../../../../../contract/catalog.ts'
import { id, line, pieces } from '../../../../../contract/fields.ts'
import {
  type ImportMode,
  type ProductFileColumn,
  productFileColumns,
} from '../../../../../contract/imports.ts'
import type { ProductExportQuery } from '../../../../../contract/product-changes.ts'
import { productColumns } from '../../../../../contract/product-columns.ts'
import { pictureCell } from '../../../../../contract/product-pictures.ts'
import { EditedVariant, lowStock, variantColumns } from '../../../../../contract/variants.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { CsvRows } from '../../../../platform/database/csv-export.ts'
import { newId } from '../../../../platform/database/database.ts'
import { catalogChanged, type FileKind } from '../../../imports/file-kind.ts'
import { assignBatches, leaveOutErrors } from '../../../imports/queries.ts'
import { type FileFormat, FileRefused } from '../../../imports/read-file.ts'
import { findSelected } from '../../all-products/service.ts'
import { carryPictures } from '../../pictures/service.ts'
import { lockProducts } from '../../repository.ts'
import * as attributes from './attribute-columns.ts'
import { errorTables, findErrors, wrongProducts } from './errors.ts'
import { exportQuery } from './export.ts'
import { oldPathColumn } from './old-paths.ts'
import { listPictureHosts, queuePictures, useCopies } from './pictures.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

/** Allows more than the form for a new product, because restocking can lead to such a stock. */
const stock = pieces('Quantity is required').check(z.gte(0, 'At least 0'))

const yesOrNo = z.string().check(z.regex(/^(?:yes|no)$/i, 'Valid values are yes, no and blank'))

/** The contract's rules for each column. `findErrors` checks for missing required values. */
export const rules = {
  ...EditedProduct.shape,
  id: z.optional(id),
  quantity: z.optional(stock),
  quantity_exported: z.optional(stock),
  pictures: z.optional(pictureCell),
  options: z.optional(z.enum(productOptions, `Valid options are ${productOptions.join(', ')}`)),
  group: z.optional(line(200)),
  size: EditedVariant.shape.size,
  colour: EditedVariant.shape.colour,
  swatch: EditedVariant.shape.swatch,
  weight: EditedVariant.shape.weight,
  shelf: EditedVariant.shape.shelf,
  low_stock: z.optional(lowStock),
  hidden: z.optional(
    z.pipe(
      yesOrNo,
      z.transform((text) => text.toLowerCase() === 'yes'),
    ),
  ),
} satisfies Record<ProductFileColumn, z.ZodMiniType>

const format = {
  columns: Object.fromEntries(productFileColumns.map((column) => [column, rules[column]])),
  numbers: [
    'quantity_exported',
    ...[...productColumns, ...variantColumns]
      .filter(({ type }) => type === 'integer')
      .map(({ name }) => name),
  ],
  prices: ['price'],
  productColumn: 'group',
  refuseColumns(columns: string[]) {
    if (!['id', 'sku', 'gtin'].some((column) => columns.includes(column))) {
      return 'a “sku”, “id” or “gtin” column is required to match products.'
    }
    if (columns.includes('quantity_exported') && !columns.includes('quantity')) {
      return '“quantity_exported” requires the column “quantity”.'
    }
    return null
  },
  finishRow: (values: Record<string, unknown>) => ({ row: { new_id: newId(), ...values } }),
} satisfies FileFormat

/**
 * Returns the format of files, which can have a column for each attribute of the shop. `insertRows` gets them as one object,
 * unless only the stock counts. New products get the supplier of a file without such a column.
 */
async function toFormat(
  db: Kysely<Database>,
  { mode, supplier }: { mode: ImportMode; supplier: string | null },
): Promise<FileFormat> {
  const columns = (await attributes.listAttributeNames(db)).map(attributes.toAttributeColumn)
  const withAttributes = (own: FileFormat, rule: z.ZodMiniType): FileFormat => ({
    ...own,
    columns: { ...own.columns, ...Object.fromEntries(columns.map((column) => [column, rule])) },
  })
  if (setsStockOnly(mode)) return withAttributes(toStockFormat(mode === 'deliveries'), z.any())
  const decimals = (await attributes.listNumberAttributes(db)).map(attributes.toAttributeColumn)
  return {
    ...withAttributes(format, attributeText),
    decimals,
    finishRow: (values) =>
      format.finishRow({ ...(supplier !== null && { supplier }), ...joinAttributes(values) }),
  }
}

const attributeText = z.optional(line(40))

/** A blank cell is null. */
function joinAttributes(values: Record<string, unknown>): Record<string, unknown> {
  const isAttribute = ([name]: [string, unknown]) => name.startsWith(attributes.attributePrefix)
  const own = Object.entries(values).filter(isAttribute)
  if (own.length === 0) return values
  const cells = own.map(([name, value]) => [name.slice(attributes.attributePrefix.length), value ?? null])
  const others = Object.entries(values).filter((entry) => !isAttribute(entry))
  return { ...Object.fromEntries(others), attributes: Object.fromEntries(cells) }
}

export const setsStockOnly = (mode: ImportMode) => mode === 'counts' || mode === 'deliveries'

const stockColumns: ProductFileColumn[] = ['id', 'sku', 'quantity']

/** A file of which only the stock counts. Other cells may have any text. A delivery is a difference to the stock. */
const toStockFormat = (isDelivery: boolean): FileFormat => ({
  columns: Object.fromEntries(
    productFileColumns.map((column) => {
      // The check digit of a GTIN does not matter beside a part number.
      if (column === 'gtin') return [column, z.optional(line(40))]
      return [column, stockColumns.includes(column) ? rules[column] : z.any()]
    }),
  ),
  numbers: ['quantity'],
  productColumn: 'group',
  refuseColumns: (columns) =>
    columns.includes('quantity') ? format.refuseColumns(columns) : 'the column “quantity” is missing.',
  finishRow({ id: variantId, sku, gtin, quantity }) {
    const row = { new_id: newId(), id: variantId, sku, gtin, quantity }
    return { row: isDelivery && quantity !== undefined ? { ...row, quantity_exported: 0 } : row }
  },
})

/**
 * Returns a query of the exported products that match the filters, or all that are not deleted.
 *
 * @throws SELECTION_TOO_LARGE
 */
export async function toExportQuery(
  db: Kysely<Database>,
  { bom: _bom, decimals, ...filters }: ProductExportQuery,
): Promise<CsvRows> {
  const [kind, ...otherKinds] = filters.kind ?? []
  const isFiltered = Object.values(filters).some((value) => String(value ?? '') !== '')
  const ids = isFiltered ? await findSelected(db, filters) : null
  return exportQuery(db, { kind: otherKinds.length > 0 ? undefined : kind, decimals, ids })
}

/** Product files, with variants and stock. */
export const productFile = {
  rowTable: 'product_import_rows',
  toFormat,
  insertRows: queries.insertRows,

  async check(tx, importId, fileColumns, mode) {
    const columns = toColumns(fileColumns, mode)
    const unknown = await matchRows(tx, importId, columns, mode)
    if (mode === 'deliveries') await repository.addUpQuantities(tx, importId)
    const errors = await findErrors(tx, importId, columns)
    await leaveOutErrors(
      tx,
      { importId, rowTable: 'product_import_rows' },
      {
        unreadable: wrongProducts(importId),
        errorTables: errorTables(importId, columns),
        errorCount: errors.total,
        rematch: async () => {
          await queries.matchVariants(tx, importId, columns)
          await queries.setAllTargets(tx, importId, columns)
        },
      },
    )
    return {
      ...errors,
      effect: await queries.countEffect(tx, importId, columns),
      changes: await queries.listChanges(tx, importId, columns),
      warnings: await queries.listWarnings(tx, importId),
      pictureHosts: hasPictures(columns) ? await listPictureHosts(tx, importId) : [],
      ...(unknown && { unknown }),
    }
  },

  batches: {
    async prepare(tx, file) {
      const { id, mode } = file
      const columns = toColumns(file.columns, mode)
      // The catalog may have changed since the check.
      const unknown = await matchRows(tx, id, columns, mode)
      if ((await findErrors(tx, id, columns)).total > 0) throw new FileRefused(catalogChanged)
      if (hasPictures(columns)) await queuePictures(tx, file)
      const { unchanged } = await queries.countEffect(tx, id, columns)
      const table = { importId: id, rowTable: 'product_import_rows' }
      const changed = queries.changedProducts(id, columns)
      const batches = await assignBatches(tx, table, changed, queries.exchangingProducts(id))
      return { batches, effect: { unchanged }, skipped: [], unknown }
    },

    /** Adds the new products and variants of the batch, then changes the others. */
    async run(tx, { id, columns: fileColumns, mode, run_at }, { number: batch, products }, by) {
      const columns = toColumns(fileColumns, mode)
      const rows = { importId: id, batch }
      const productIds = products.map(({ product_id }) => product_id)
      await lockProducts(tx, productIds)
      // The catalog may have changed since the rows were matched, and pictures may have been copied.
      if (hasPictures(columns)) await useCopies(tx, id, batch)
      await queries.setTargets(tx, id, columns, batch)
      const reasons = await findReasons(tx, rows, columns)
      if (reasons.size > 0) await repository.leaveOut(tx, rows, [...reasons.keys()])
      const effect = await carryPictures(tx, productIds, by, async () => {
        await repository.preserveOtherPrices(tx, rows)
        await repository.releaseTakenKeys(tx, rows)
        const added = await repository.addProducts(tx, rows, run_at, by)
        return { added, changed: await repository.changeProducts(tx, rows, columns, by) }
      })
      if (columns.includes('pictures')) await repository.replacePictures(tx, rows, by)
      const skipped = products.flatMap(({ product_id, name }) => {
        const reason = reasons.get(product_id)
        return reason === undefined ? [] : [{ productId: product_id, name, reason }]
      })
      return { effect, skipped }
    },

    list: queries.listBatch,
  },
} satisfies FileKind

const hasPictures = (columns: string[]) => columns.includes('image') || columns.includes('pictures')

/** Returns the columns that the import sets. */
export const toColumns = (columns: string[], mode: ImportMode): string[] =>
  setsStockOnly(mode) ? ['quantity', ...columns.filter((column) => column === oldPathColumn)] : columns

/**
 * Matches the rows. Unless new products are added, removes the rows that match none before the others get their values: a
 * wholesaler has many more products than the shop.
 */
async function matchRows(tx: Kysely<Database>, importId: string, columns: string[], mode: ImportMode) {
  await queries.matchVariants(tx, importId, columns)
  const unknown = mode === 'all' ? undefined : await repository.removeUnknownRows(tx, importId, columns)
  // A removed row may have been the first one of its product.
  if (unknown && unknown.count > 0) await queries.matchVariants(tx, importId, columns)
  if (hasPictures(columns)) await useCopies(tx, importId)
  await queries.setAllTargets(tx, importId, columns)
  return unknown
}

/** Returns the products of a batch that cannot be changed any more, with the first reason of each. */
async function findReasons(
  tx: Kysely<Database>,
  { importId, batch }: repository.BatchRows,
  columns: string[],
): Promise<Map<string, string>> {
  const lost = await queries.listLost(tx, importId, batch)
  const reasons = new Map(lost.map((id) => [id, 'It was deleted, or one of its variants was']))
  const { errors, total } = await findErrors(tx, importId, columns, batch)
  // The engine then divides the batch.
  if (total > errors.length) throw new Error(`a batch has ${total} errors`)
  const rows = errors.map(({ row }) => row)
  const productIds = total > 0 ? await repository.findProductsOfRows(tx, importId, rows) : new Map()
  for (const { row, message } of errors) {
    const productId: string = productIds.get(row) ?? ''
    if (!reasons.has(productId)) reasons.set(productId, message)
  }
  return reasons
}
