import type { InBatches, Undo } from '../../../imports/file-kind.ts'
import { assignBatches } from '../../../imports/queries.ts'
import { carryPictures } from '../../pictures/service.ts'
import { lockProducts } from '../../repository.ts'
import { listBatch } from '../by-product.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

const toTable = (importId: string) => ({ importId, rowTable: 'undo_import_rows' })

/** Products of a batch are judged when they are locked: sales and other admins may have changed them since the check. */
const batches: InBatches['batches'] = {
  async prepare(tx, { id, unchanged }) {
    await repository.judgeRows(tx, id)
    const count = await assignBatches(
      tx,
      toTable(id),
      queries.restoredProducts(id),
      queries.exchangingProducts(id),
    )
    return {
      batches: count,
      effect: { unchanged },
      skipped: await queries.listSkipped(tx, id, 'without a batch'),
    }
  },

  async run(tx, { id }, { number: batch, products }, by) {
    const productIds = products.map(({ product_id }) => product_id)
    await lockProducts(tx, productIds)
    await repository.judgeRows(tx, id, batch)
    const effect = await queries.countEffect(tx, id, batch)
    const skipped = await queries.listSkipped(tx, id, batch)
    const rows = { importId: id, batch }
    await carryPictures(tx, productIds, by, () => repository.restore(tx, rows, by))
    // The stored pictures have the earlier names of their colours.
    await repository.restorePictures(tx, rows, by)
    return { effect, skipped }
  },

  list: (db, importId, batch) => listBatch(db, { ...toTable(importId), batch }),
}

/** Undoes an import of products: a value is restored if it is still the imported one, and the stock moves back. */
export const undoOfProducts: Undo = {
  rowTable: 'undo_import_rows',
  stage: repository.stageRows,

  async check(tx, importId) {
    await repository.judgeRows(tx, importId)
    return {
      effect: { unchanged: 0, ...(await queries.countEffect(tx, importId)) },
      changes: await queries.listChanges(tx, importId),
      skipped: await queries.listSkipped(tx, importId),
    }
  },

  batches,
}
