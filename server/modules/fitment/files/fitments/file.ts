import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod/mini'
import { toBikeSlug } from '../../../../../contract/bike-urls.ts'
import { line, requiredLine } from '../../../../../contract/fields.ts'
import { defaultFitmentSource, EditedFitment } from '../../../../../contract/fitments.ts'
import type { fitmentFileColumns } from '../../../../../contract/imports.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { Actor } from '../../../../platform/actor.ts'
import {
  type ByProduct,
  leaveOutByPartNumber,
  listBatch,
  listChanges,
  lockBatchProducts,
  replaceProducts,
} from '../../../catalog/service.ts'
import { catalogChanged, type DryRun, type Effect, type FileKind } from '../../../imports/file-kind.ts'
import { assignBatches, storeReplaced } from '../../../imports/queries.ts'
import { type FileFormat, FileRefused, requireColumns } from '../../../imports/read-file.ts'
import { describeFitments } from '../../rules.ts'
import * as queries from './queries.ts'
import { stageUndo, storedFitments } from './undo.ts'

const notAYear = 'A year from 1900 to 2100 is needed'
const year = z.int(notAYear).check(z.gte(1900, notAYear), z.lte(2100, notAYear))
const notPieces = 'A whole number from 1 to 99 is needed'

/** The rules of each column. Whether the shop has the product and the model is checked later. */
const rules = {
  part_number: requiredLine(200, 'Part number is required'),
  make: z.optional(line(80)),
  model: z.optional(line(80)),
  year_from: z.optional(year),
  year_to: z.optional(year),
  version: EditedFitment.shape.version,
  position: EditedFitment.shape.position,
  pieces: z.optional(z.int(notPieces).check(z.gte(1, notPieces), z.lte(99, notPieces))),
  note: EditedFitment.shape.note,
  source: EditedFitment.shape.source,
  confirmed_on: EditedFitment.shape.confirmedOn,
} satisfies Record<(typeof fitmentFileColumns)[number], z.ZodMiniType>

const Row = z.object(rules)

const format: FileFormat = {
  columns: rules,
  productColumn: 'part_number',
  numbers: ['year_from', 'year_to', 'pieces'],
  refuseColumns: requireColumns(['part_number', 'make', 'model', 'year_from']),
  finishRow(values) {
    const row = values as z.infer<typeof Row>
    const errors = findErrors(row)
    if (Object.keys(errors).length > 0) return { errors }
    const { source = defaultFitmentSource, make, model } = row
    return {
      row: {
        ...row,
        source,
        year_to: row.year_to ?? row.year_from,
        make_slug: make && toBikeSlug(make),
        model_slug: model && toBikeSlug(model),
      },
    }
  },
}

/** Returns messages by column. A row has a make, a model and a year, or no fitment column at all. */
function findErrors(row: z.infer<typeof Row>): Record<string, string> {
  const fitment = { ...row, part_number: undefined, source: undefined }
  if (Object.values(fitment).every((value) => value === undefined)) return {}
  const { make, model, year_from, year_to = year_from } = row
  return {
    ...(make === undefined && { make: 'Make is required' }),
    ...(model === undefined && { model: 'Model is required' }),
    ...(year_from === undefined && { year_from: notAYear }),
    ...(year_from !== undefined &&
      year_to !== undefined &&
      year_to < year_from && { year_to: 'The last year is before the first year' }),
  }
}

const byProduct: ByProduct<queries.Differing> = {
  rowTable: 'fitment_import_rows',
  field: 'fitments',
  listDifferences: queries.listDifferences,
  describe: ({ removed, removed_total, added, added_total }) => ({
    before: describeFitments(removed, removed_total),
    after: describeFitments(added, added_total),
  }),
  async replace(tx, importId, productIds) {
    await queries.setNestedLoops(tx, true)
    await queries.replaceFitments(tx, importId, productIds)
    await queries.setNestedLoops(tx, false)
  },
}

/** Fitment files. A product's rows replace its fitments from the same source. */
export const fitmentFile: FileKind = {
  rowTable: byProduct.rowTable,
  toFormat: () => format,
  insertRows: queries.insertRows,
  stageUndo,
  check: (tx, importId) => checkRows(tx, importId, true),
  batches: {
    async prepare(tx, { id, skipped }) {
      await queries.setNestedLoops(tx, false)
      await queries.matchRows(tx, id)
      if ((await queries.findErrors(tx, id)).total > 0) throw new FileRefused(catalogChanged)
      const { unchanged, years_without_bike } = await queries.countEffect(tx, id)
      const batches = await assignBatches(tx, toTable(id), queries.changedProducts(id))
      return { batches, effect: { unchanged, years_without_bike }, skipped }
    },

    async run(tx, { id, undo_of }, { products }, by) {
      await queries.setNestedLoops(tx, false)
      const ids = products.map(({ product_id }) => product_id)
      await queries.lockModels(tx, id, ids)
      const { productIds, skipped } = await lockBatchProducts(tx, products, {
        undoneId: undo_of,
        field: 'fitments',
      })
      // The fitments, and bikes, may have changed since the rows were matched.
      await queries.compareRows(tx, id, productIds)
      // The engine then divides the batch.
      if ((await queries.findErrors(tx, id, productIds)).total > 0) throw new Error('a batch has errors')
      const { added, changed, removed } = await queries.countEffect(tx, id, productIds)
      await storeReplaced(tx, id, storedFitments(id, productIds))
      await replaceProducts(tx, { importId: id, productIds }, byProduct, by)
      return { effect: { added, changed, removed }, skipped }
    },

    list: (db, importId, batch) => listBatch(db, { ...toTable(importId), batch }),
  },
}

const toTable = (importId: string) => ({ importId, rowTable: byProduct.rowTable })

/** Compares the fitment rows with the shop. `movesWrong`: takes the products with wrong rows out of the import. */
export async function checkRows(tx: Kysely<Database>, importId: string, movesWrong = false): Promise<DryRun> {
  await queries.setNestedLoops(tx, false)
  await queries.matchRows(tx, importId)
  const errors = await queries.findErrors(tx, importId)
  if (movesWrong) {
    await leaveOutByPartNumber(tx, toTable(importId), {
      errorTables: queries.errorTables(importId),
      errorCount: errors.total,
    })
  }
  return {
    ...errors,
    effect: await queries.countEffect(tx, importId),
    changes: await listChanges(tx, importId, byProduct),
  }
}

const productsAtOnce = 500

/**
 * Imports the fitment rows.
 *
 * @param areCurrent called when the products are locked; false refuses the import
 * @throws FileRefused if the shop has changed since the check
 */
export async function importRows(
  tx: Transaction<Database>,
  importId: string,
  by: Actor,
  onProgress: (share: number) => Promise<void>,
  areCurrent: () => Promise<boolean>,
): Promise<Effect> {
  await queries.setNestedLoops(tx, false)
  await queries.matchRows(tx, importId)
  await queries.lockModels(tx, importId)
  const productIds = await queries.lockProducts(tx, importId)
  // The fitments of the locked products, and bikes, may have changed since the check.
  await queries.matchRows(tx, importId)
  const { total: errors } = await queries.findErrors(tx, importId)
  if (errors > 0 || !(await areCurrent())) throw new FileRefused(catalogChanged)
  const effect = await queries.countEffect(tx, importId)
  for (let from = 0; from < productIds.length; from += productsAtOnce) {
    await onProgress(from / productIds.length)
    const some = productIds.slice(from, from + productsAtOnce)
    await replaceProducts(tx, { importId, productIds: some }, byProduct, by)
  }
  return effect
}
