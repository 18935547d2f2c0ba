import { maxListedChanges } from '../../../../contract/imports.ts'
import type { Receive } from '../../imports/service.ts'
import { lockProducts, moveStock } from '../repository.ts'
import { listProductIds, listReceived } from './queries.ts'
import { refuseDifferences, toDifferences } from './rules.ts'

export { listDelivered } from './queries.ts'

/** Adds the lines of goods in to the stock, or the differences of a stocktake. Locks the products by id, as orders do. */
export const receive: Receive = async (tx, receipt, by) => {
  const differences = toDifferences(receipt)
  const ids = differences.map(({ id }) => id)
  await lockProducts(tx, await listProductIds(tx, ids))
  const variants = new Map((await listReceived(tx, ids)).map((variant) => [variant.id, variant]))
  refuseDifferences(differences, variants)
  const moves = differences.filter(({ difference }) => difference !== 0)
  if (moves.length > 0) await moveStock(tx, receipt.kind === 'delivery' ? 'restock' : 'count', moves, by)
  const changes = moves.slice(0, maxListedChanges).map(({ id, difference }) => {
    const { name = '', stock = 0 } = variants.get(id) ?? {}
    const row = ids.indexOf(id) + 1
    return {
      row,
      name,
      before: { quantity: String(stock) },
      after: { quantity: String(stock + difference) },
    }
  })
  return { changed: moves.length, changes }
}
