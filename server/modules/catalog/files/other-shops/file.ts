import type { Transaction } from 'kysely'
import * as z from 'zod/mini'
import { EditedProduct } from '../../../../../contract/catalog.ts'
import { maxFileRows } from '../../../../../contract/imports.ts'
import { allPicturesCell } from '../../../../../contract/product-pictures.ts'
import { isShopPath } from '../../../../../contract/shop-paths.ts'
import type { Database } from '../../../../../db/schema.ts'
import { newId } from '../../../../platform/database/database.ts'
import type { FileKind, ReadOptions } from '../../../imports/file-kind.ts'
import {
  type Batch,
  FileRefused,
  findOtherKind,
  firstErrorPerColumn,
  readRecords,
  refuseWidth,
  rowsAtOnce,
  tooManyRows,
  type WrongRow,
  withoutNul,
} from '../../../imports/read-file.ts'
import { productFile, rules, setsStockOnly, toColumns } from '../products/file.ts'
import { oldPathColumn } from '../products/old-paths.ts'
import {
  type Converter,
  createNotes,
  type Notes,
  type SourceProduct,
  type SourceVariant,
} from './conversion.ts'
import { describeChanges, listOldAddresses, type OldAddress } from './queries.ts'
import { openShopifyConverter, refuseShopifyHeader } from './shopify.ts'
import { openWooCommerceConverter, refuseWooCommerceHeader } from './woocommerce.ts'

/** Makes old addresses lead to their products, in the transaction that adds these. */
type SaveOldAddresses = (tx: Transaction<Database>, addresses: OldAddress[]) => Promise<void>

/** A path in a folder, without `.` and `..`, which browsers resolve. A path of this shop could not lead to a product. */
const pathPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[^/\\?#\p{Cc}\p{Cs}]+){2,}$/u
/** In the form of redirects. */
const oldPath = z.string().check(
  z.maxLength(500, 'At most 500 characters'),
  z.refine(
    (path) => pathPattern.test(path) && !isShopPath(path),
    'Enter a name for the address of the product, such as touring-jacket',
  ),
)

const { name, brand, kind, description } = EditedProduct.shape
const Shared = z.object({
  name,
  brand,
  kind,
  description: z.optional(description),
  pictures: z.optional(allPicturesCell),
  [oldPathColumn]: oldPath,
})
const { sku, gtin, price, quantity, weight, size, colour } = rules
const Variant = z.object({ sku, gtin, price, quantity, weight, size, colour, image: z.optional(rules.image) })
type Variant = z.infer<typeof Variant>

interface OtherShop {
  open: (header: string[], options: ReadOptions & { now: Date; notes: Notes }) => Converter
  /** Returns why a file with this first row is refused, or null. */
  refuseHeader: (header: string[]) => string | null
}

const notADelivery = 'A product file of another shop is not a delivery. Choose another use of the file.'

/** Reads a file of another shop into the rows of a product file, and has its checks and its batches. */
const createFile = (shop: OtherShop, save: SaveOldAddresses): FileKind => ({
  ...productFile,
  refuseHeader: shop.refuseHeader,

  async *read(bytes, _tx, options) {
    if (options.mode === 'deliveries') throw new FileRefused(notADelivery)
    yield* readProducts(bytes, shop, options)
  },

  async check(tx, importId, fileColumns, mode) {
    const dryRun = await productFile.check(tx, importId, fileColumns, mode)
    return { ...dryRun, ...(await describeChanges(tx, importId, toColumns(fileColumns, mode))) }
  },

  batches: {
    ...productFile.batches,
    async run(tx, file, batch, by) {
      const result = await productFile.batches.run(tx, file, batch, by)
      await save(tx, await listOldAddresses(tx, file.id, batch.number))
      return result
    },
  },
})

const shopify: OtherShop = {
  open: openShopifyConverter,
  refuseHeader: (header) => findOtherKind(header, 'shopify-products') ?? refuseShopifyHeader(header),
}

const wooCommerce: OtherShop = {
  open: openWooCommerceConverter,
  refuseHeader: (header) => findOtherKind(header, 'woocommerce-products') ?? refuseWooCommerceHeader(header),
}

export const createShopifyFile = (save: SaveOldAddresses): FileKind => createFile(shopify, save)
export const createWooCommerceFile = (save: SaveOldAddresses): FileKind => createFile(wooCommerce, save)

type Own = Batch & { wrong: WrongRow[] }

async function* readProducts(
  bytes: AsyncIterable<Buffer>,
  { open, refuseHeader }: OtherShop,
  options: ReadOptions,
): AsyncGenerator<Batch> {
  const notes = createNotes()
  let batch: Own = { columns: [], rows: [], errors: [], wrong: [], rowsRead: 0 }
  let converter: Converter | null = null
  let header: string[] = []
  const take = () => {
    const ofRows = converter && toHeader(header, converter)
    const full = { ...batch, ...ofRows, notes: notes.list(), leftOut: { count: notes.leftOut(), brands: [] } }
    batch = { ...batch, rows: [], errors: [], wrong: [] }
    return full
  }
  for await (const record of readRecords(bytes)) {
    const { row, cells, separator } = record
    if (!converter) {
      const refused = refuseHeader(cells)
      if (refused !== null) throw new FileRefused(refused)
      converter = open(cells, { ...options, now: new Date(), notes })
      header = cells
      batch = { ...batch, separator }
      continue
    }
    batch.rowsRead = row - 1
    if (batch.rowsRead > maxFileRows) throw new FileRefused(tooManyRows)
    if (cells.every((cell) => cell.trim() === '')) continue
    const problem = refuseWidth(record, header.length) ?? undefined
    for (const product of converter.add({ row, cells: cells.map(withoutNul), problem })) {
      addProduct(batch, product, options, notes)
    }
    if (batch.rows.length + batch.wrong.length >= rowsAtOnce) yield take()
  }
  if (!converter || batch.rowsRead === 0) throw new FileRefused('The file has a header but no rows.')
  for (const product of converter.end()) {
    addProduct(batch, product, options, notes)
    if (batch.rows.length + batch.wrong.length >= rowsAtOnce) yield take()
  }
  yield take()
}

function toHeader(
  cells: string[],
  converter: Converter,
): Pick<Batch, 'header' | 'names' | 'columns' | 'theirs'> {
  const header = cells.map(withoutNul)
  const theirs = converter.theirs()
  const ours = new Map(Object.entries(theirs).map(([column, name]) => [name, column]))
  const names = header.map((name) => ours.get(name.trim()) ?? null)
  return { header, names, columns: Object.keys(theirs), theirs }
}

/** Adds the rows of a product, or all of them as wrong rows if one has an error. */
function addProduct(batch: Own, product: SourceProduct, options: ReadOptions, notes: Notes): void {
  const { first, oldPath: path, hasOptions, variants } = product
  const shared = Shared.safeParse({ ...product.shared, [oldPathColumn]: path })
  const parsed = variants.map((variant) => ({ ...variant, ...parseVariant(variant) }))
  const errors = new Map(parsed.map(({ source, errors: own }) => [source, own]))
  const ofFirst = shared.success || product.isLost ? [] : firstErrorPerColumn(shared.error.issues)
  errors.set(first, [...(first.problem === undefined ? ofFirst : []), ...(errors.get(first) ?? [])])
  if (shared.success && [...errors.values()].every((own) => own.length === 0)) {
    batch.rows.push(
      ...parsed.flatMap(({ source: { row, cells }, sharesStock, data }) =>
        data
          ? { row, cells, ...toRow(data, shared.data, { ...options, hasOptions, sharesStock, row, notes }) }
          : [],
      ),
    )
    return
  }
  for (const [{ row, cells }, own] of errors) {
    batch.wrong.push({ row, cells, errors: own, product_key: null })
    batch.errors.push(...own.map((error) => ({ row, ...error })))
  }
}

/** Returns a row of a product file. The rows of a product with options have the same group. */
function toRow(
  { quantity, size, colour, ...values }: Variant,
  shared: z.infer<typeof Shared>,
  {
    mode,
    stock,
    hasOptions,
    sharesStock = false,
    row,
    notes,
  }: ReadOptions & Pick<SourceVariant, 'sharesStock'> & { hasOptions: boolean; row: number; notes: Notes },
): object {
  const path = shared[oldPathColumn]
  const choice = hasOptions ? { size, colour } : {}
  if (setsStockOnly(mode)) {
    return { new_id: newId(), sku: values.sku, gtin: values.gtin, quantity, ...choice, [oldPathColumn]: path }
  }
  if (quantity === undefined && !sharesStock) {
    notes.add(`The stock is not tracked: new products get ${stock.toLocaleString('en-US')}`, row)
  }
  const ofNew = quantity ?? (sharesStock ? 0 : stock)
  return {
    new_id: newId(),
    ...shared,
    ...values,
    ...choice,
    ...(hasOptions ? { group: path } : { options: 'none' }),
    minimum: 1,
    quantity: ofNew,
    // The difference is 0: the stock of known variants stays.
    quantity_exported: ofNew,
  }
}

function parseVariant({ source: { problem }, values, errors }: SourceVariant): {
  data?: Variant
  errors: WrongRow['errors']
} {
  if (problem !== undefined) return { errors: [{ column: '', message: problem }] }
  if (errors) return { errors }
  const { data, error } = Variant.safeParse(values)
  return error ? { errors: firstErrorPerColumn(error.issues) } : { data, errors: [] }
}
