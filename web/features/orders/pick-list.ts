import { orderNumber } from '../../../contract/order-number.ts'
import type { PackingSlip } from '../../../contract/packing.ts'

/** An item to fetch, for one or more orders. */
export interface PickedItem {
  key: string
  /** Empty if it is unknown. */
  shelf: string
  name: string
  /** Part number, size and colour. */
  details: string
  pieces: number
  orders: { number: string; pieces: number }[]
}

const byText = new Intl.Collator('en', { numeric: true })

/** Sorts items by their shelf, those without one last. */
export const byShelf = ({ shelf: one = '' }: { shelf?: string }, { shelf: other = '' }: { shelf?: string }) =>
  Number(one === '') - Number(other === '') || byText.compare(one, other)

/** Lists the open items of all slips in the order of the shelves; those without one are last. */
export function toPickList(slips: PackingSlip[]): PickedItem[] {
  const items = new Map<string, PickedItem>()
  for (const slip of slips) {
    for (const line of slip.lines.filter(({ openPieces }) => openPieces > 0)) {
      const { variantId, name, sku, size, colour, shelf = '', openPieces } = line
      const details = [sku, size, colour].filter(Boolean).join(', ')
      // Orders may have the same variant under an earlier name or part number.
      const key = JSON.stringify([variantId, name, details])
      const item = items.get(key) ?? { key, shelf, name, details, pieces: 0, orders: [] }
      items.set(key, item)
      item.pieces += openPieces
      const number = orderNumber(slip._id)
      const order = item.orders.find((each) => each.number === number)
      if (order) order.pieces += openPieces
      else item.orders.push({ number, pieces: openPieces })
    }
  }
  return [...items.values()].toSorted(
    (one, other) =>
      byShelf(one, other) ||
      byText.compare(one.name, other.name) ||
      byText.compare(one.details, other.details),
  )
}
