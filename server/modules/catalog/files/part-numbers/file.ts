import * as z from 'zod/mini'
import { line, partNumber, requiredLine } from '../../../../../contract/fields.ts'
import type { partNumberFileColumns } from '../../../../../contract/imports.ts'
import { describePartNumbers, partNumberKinds } from '../../../../../contract/number-texts.ts'
import { checkPartNumber } from '../../../../../contract/part-numbers.ts'
import { catalogChanged, type FileKind } from '../../../imports/file-kind.ts'
import { assignBatches, storeReplaced } from '../../../imports/queries.ts'
import { type FileFormat, FileRefused, requireColumns } from '../../../imports/read-file.ts'
import {
  type ByProduct,
  leaveOutByPartNumber,
  listBatch,
  listChanges,
  lockBatchProducts,
  replaceProducts,
} from '../by-product.ts'
import * as queries from './queries.ts'

const notAKind = `Use ${partNumberKinds.join(', ')}`

/** The rules of each column. Whether the shop has the product is checked later. */
const rules = {
  part_number: requiredLine(200, 'Part number is required'),
  kind: z.optional(z.enum(partNumberKinds, notAKind)),
  maker: z.optional(line(80)),
  number: z.optional(partNumber),
} satisfies Record<(typeof partNumberFileColumns)[number], z.ZodMiniType>

const Row = z.object(rules)

const format: FileFormat = {
  columns: rules,
  numbers: [],
  productColumn: 'part_number',
  refuseColumns: requireColumns(['part_number', 'kind', 'number']),
  finishRow(values) {
    const { part_number, kind, maker = '', number = '' } = values as z.infer<typeof Row>
    if (kind === undefined && maker === '' && number === '') return { row: { part_number, maker } }
    const errors = {
      ...(kind === undefined && { kind: notAKind }),
      ...checkPartNumber({ kind: kind ?? 'supersedes', maker, number }),
    }
    return Object.keys(errors).length > 0 ? { errors } : { row: { part_number, kind, maker, number } }
  },
}

const byProduct: ByProduct<queries.Differing> = {
  rowTable: 'part_number_import_rows',
  field: 'part_numbers',
  listDifferences: queries.listDifferences,
  describe: ({ removed, removed_total, added, added_total }) => ({
    before: describePartNumbers(removed, removed_total),
    after: describePartNumbers(added, added_total),
  }),
  replace: queries.replaceNumbers,
}

/** Files with part numbers of other makers. A product's rows replace its numbers. */
export const partNumberFile: FileKind = {
  rowTable: byProduct.rowTable,
  toFormat: () => format,
  insertRows: queries.insertRows,
  stageUndo: queries.stageUndo,

  async check(tx, importId) {
    await queries.matchRows(tx, importId)
    const errors = await queries.findErrors(tx, importId)
    await leaveOutByPartNumber(tx, toTable(importId), {
      errorTables: queries.errorTables(importId),
      errorCount: errors.total,
    })
    return {
      ...errors,
      effect: await queries.countEffect(tx, importId),
      changes: await listChanges(tx, importId, byProduct),
    }
  },

  batches: {
    async prepare(tx, { id, skipped }) {
      await queries.matchRows(tx, id)
      if ((await queries.findErrors(tx, id)).total > 0) throw new FileRefused(catalogChanged)
      const { unchanged } = await queries.countEffect(tx, id)
      const batches = await assignBatches(tx, toTable(id), queries.changedProducts(id))
      return { batches, effect: { unchanged }, skipped }
    },

    async run(tx, { id, undo_of }, { products }, by) {
      const { productIds, skipped } = await lockBatchProducts(tx, products, {
        undoneId: undo_of,
        field: 'part_numbers',
      })
      // The numbers may have changed since the rows were matched.
      await queries.compareRows(tx, id, productIds)
      const { added, changed, removed } = await queries.countEffect(tx, id, productIds)
      await storeReplaced(tx, id, queries.storedNumbers(productIds))
      await replaceProducts(tx, { importId: id, productIds }, byProduct, by)
      return { effect: { added, changed, removed }, skipped }
    },

    list: (db, importId, batch) => listBatch(db, { ...toTable(importId), batch }),
  },
}

const toTable = (importId: string) => ({ importId, rowTable: byProduct.rowTable })
