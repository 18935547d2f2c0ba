import type { CartLine } from '../../../contract/cart.ts'
import { call } from '../../api.ts'
import { forgetUnpaid } from '../../unpaid-orders.ts'
import {
  addOnce,
  asOwner,
  type Cart,
  changeLine,
  type LineKey,
  quoteLines,
  readLines,
  saveLines,
  toCart,
  toLineId,
  toOrderedLines,
  withChange,
  withLine,
} from './cart.ts'
import { storeCount } from './stored-cart.ts'

/**
 * Puts lines back that have left the cart. A line that is in the cart gets the larger quantity, as in a merge, so that a
 * repeated attempt changes nothing. Returns the cart.
 */
export const putBack = (lines: CartLine[]): Promise<Cart> =>
  asOwner(
    async () => {
      const quote = await call('mergeCart', { body: { lines } })
      storeCount(quote.lines.length, true)
      return toCart(quote)
    },
    () => {
      saveLines(lines.reduce(withReturned, readLines()))
      return quoteLines(readLines())
    },
  )

/**
 * Puts the lines of an order into the cart, as `putBack`. The browser of a guest does not offer them again.
 *
 * @param key of a guest's order, else empty
 */
export async function putBackOrder(id: string, key: string): Promise<Cart> {
  const headers = { 'order-key': key || undefined }
  const { lines } = await call('getOrderDetails', { params: { id }, headers })
  const cart = await putBack(toOrderedLines(lines))
  forgetUnpaid(id)
  return cart
}

/** Replaces a line by one with another choice, or adds its pieces to a line that has it. Returns the cart. */
export const replaceLine = (key: LineKey, line: CartLine): Promise<Cart> =>
  asOwner(
    () => addOnce(line, toLineId(key), () => changeLine(key, { quantity: 0 })),
    async () => {
      const change = (lines: CartLine[]) => withChange(withLine(lines, line), key, { quantity: 0 })
      const cart = await quoteLines(change(readLines()))
      saveLines(change(readLines()))
      return cart
    },
  )

function withReturned(lines: CartLine[], returned: CartLine): CartLine[] {
  const same = lines.find((line) => toLineId(line) === toLineId(returned))
  if (!same) return withLine(lines, returned)
  return withChange(lines, returned, { ...returned, quantity: Math.max(same.quantity, returned.quantity) })
}
