import type { CartLine, CartLineChange, QuoteLine } from '../../../contract/cart.ts'
import type { Checkout } from '../../../contract/checkout.ts'
import { maxCartLines, maxOptionLength, maxQuantity } from '../../../contract/limits.ts'
import { toCents, toWholeCents } from '../../../contract/money.ts'
import type { Quote } from '../../../contract/quote.ts'
import { readAccessToken } from '../../access-token.ts'
import { call } from '../../api.ts'
import { explain, OwnerError, ownerStore } from '../../owner-store.ts'
import { readStoredLines, storeCount, storeLines } from './stored-cart.ts'

/** Identifies a line of a cart. */
export type LineKey = Pick<CartLine, 'variantId' | 'size' | 'colour'>

/** A change of a line: 0 pieces remove it. The bike is replaced if there is one, and removed if it is null. */
export type LineChange = Pick<CartLineChange, 'quantity' | 'bike'>

/**
 * A line with its present price. `key`: the key of the stored line, which may have another size than its variant now.
 */
export interface ShownLine extends QuoteLine {
  key: LineKey
}

/** The cart of a guest or a customer. */
export interface Cart {
  lines: ShownLine[]
  /** In dollars, without charges. */
  total: number
  /** Whether shipping or tax can be added at checkout. */
  chargesAtCheckout: boolean
  /** Whether the shop taxes orders to some places. A process of the previous version does not send it. */
  hasTax?: boolean | undefined
  /** Whether the shop has discount codes. */
  hasCoupons: boolean
  /** The price of delivery, in words. A process of the previous version does not send it. */
  delivery?: string | undefined
  /** Why the lines of the guest are not in the customer's cart; empty if they are. */
  mergeFailure: string
}

const tooLarge = `A cart can hold ${maxCartLines} different items.`

export const toLineId = ({ variantId, size = '', colour = '' }: LineKey): string =>
  JSON.stringify([variantId, size, colour])

/** Reads the lines of a guest. Drops values that the shop did not store. */
export const readLines = (): CartLine[] => readStoredLines().filter(isCartLine)

/** Whether the shop accepts a stored line. Not with its schema, which would be a tenth of the page's script. */
function isCartLine(stored: unknown): stored is CartLine {
  const { variantId, quantity, unitPrice = 1, bike = 1, size = '', colour = '' } = stored as CartLine
  return (
    isText(variantId, 200) &&
    isWhole(quantity, maxQuantity) &&
    typeof unitPrice === 'number' &&
    isWhole(toWholeCents(unitPrice), toCents(999_999)) &&
    isWhole(bike, 2_147_483_647) &&
    isText(size, maxOptionLength) &&
    isText(colour, maxOptionLength)
  )
}

const isWhole = (value: unknown, max: number) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max

const isText = (value: unknown, max: number) =>
  typeof value === 'string' &&
  value.length <= max &&
  !/[\p{Cc}\p{Cs}\ufffd\u2028-\u202e\u2066-\u2069]/u.test(value)

const { save, asOwner, merge, cancelIfSignedOut } = ownerStore({
  noun: 'cart',
  store: storeLines,
  merge: mergeLines,
})

export { asOwner, save as saveLines }

/**
 * Adds the lines of a guest to the cart of the customer who has signed in. Clears them after the response: a lost one is
 * repeated, which changes nothing. Lines that another tab has added in the meantime stay for the next merge.
 */
export const mergeGuestCart = merge
export const cancelMergeIfSignedOut = cancelIfSignedOut

/** Returns the lines with one more, or with its pieces and its bike in the same line. Throws if there are too many. */
export function withLine(lines: CartLine[], added: CartLine): CartLine[] {
  const same = lines.find((line) => toLineId(line) === toLineId(added))
  if (same) return withChange(lines, added, addPieces(added, same.quantity))
  if (lines.length >= maxCartLines) throw new OwnerError(tooLarge)
  return [...lines, added]
}

const addPieces = ({ quantity, bike }: CartLine, inCart: number): LineChange => ({
  quantity: Math.min(inCart + quantity, maxQuantity),
  bike,
})

/** Returns the lines with a change of one of them. */
export const withChange = (lines: CartLine[], key: LineKey, { quantity, bike }: LineChange): CartLine[] =>
  lines.flatMap((line) => {
    if (toLineId(line) !== toLineId(key)) return line
    if (quantity === 0) return []
    return { ...line, quantity, bike: bike === undefined ? line.bike : (bike ?? undefined) }
  })

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Starts work on the cart after all earlier work, even from the previous page: a read must not overtake a change.
 *
 * @param signal gives up work that still waits. Later work does not wait for the earlier one either: it may have no end.
 */
export function inTurn<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  const givenUp = new Promise((resolve) => signal?.addEventListener('abort', resolve))
  const turn = Promise.race([lastTurn, givenUp]).then(() => {
    signal?.throwIfAborted()
    return work()
  })
  lastTurn = turn.catch(() => undefined)
  return turn
}

/** Reads the cart with its present prices. Merges the lines of a guest who has signed in. */
export function readCart(signal?: AbortSignal): Promise<Cart> {
  return asOwner(
    async () => {
      const mergeFailure = readLines().length > 0 ? await mergeGuestCart().then(() => '', explain) : ''
      const quote = await call('getCart', { signal })
      storeCount(quote.lines.length, false)
      return { ...toCart(quote), mergeFailure }
    },
    () => quoteLines(readLines(), signal),
  )
}

/** Ids of additions without an answer, by line and pieces: the buyer who repeats one adds nothing twice. */
const unanswered = new Map<string, string>()

/** Adds pieces to the cart. An attempt that is given up may still add them: the next one then adds nothing. */
export const addToCart = (added: CartLine, signal?: AbortSignal): Promise<void> =>
  inTurn(
    () =>
      asOwner(
        () => addOnce(added, '', () => Promise.resolve(), signal),
        () => save(withLine(readLines(), added)),
      ),
    signal,
  )

/**
 * Adds pieces to the cart of a customer, and calls `next`. A repeated attempt after a failure adds nothing, if the pieces
 * were added.
 *
 * @param source distinguishes attempts to add these pieces
 */
export async function addOnce<Result>(
  added: CartLine,
  source: string,
  next: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { lines } = await call('getCart', { signal })
  const inCart = lines.find((line) => toLineId(line) === toLineId(added))?.quantity ?? 0
  const { quantity: pieces } = added
  const attempt = `${toLineId(added)} ${pieces} ${source}`
  const id = unanswered.get(attempt) ?? crypto.randomUUID()
  unanswered.set(attempt, id)
  // The quantity is for a process of the previous version.
  await setCartLine(added, { ...addPieces(added, inCart), addition: { id, pieces } }, signal)
  const result = await next()
  unanswered.delete(attempt)
  return result
}

/** Returns the message of a failure, or an empty text. */
export const explainFailure = (work: Promise<unknown>): Promise<string> => work.then(() => '', explain)

/** Adds pieces to the cart. Returns the message of a failure, or an empty text. */
export const addOrExplain = (added: CartLine, signal?: AbortSignal): Promise<string> =>
  explainFailure(addToCart(added, signal))

/** Changes a line. Returns the cart. */
export function changeLine(key: LineKey, change: LineChange): Promise<Cart> {
  return asOwner(
    async () => {
      const quote = await setCartLine(key, change)
      return readLines().length > 0 ? readCart() : toCart(quote)
    },
    async () => {
      // Saved after the response, so that a failed change leaves the cart as it is shown.
      const cart = await quoteLines(withChange(readLines(), key, change))
      save(withChange(readLines(), key, change))
      return cart
    },
  )
}

async function setCartLine(
  { variantId, size, colour }: LineKey,
  change: LineChange & Pick<CartLineChange, 'addition'>,
  signal?: AbortSignal,
): Promise<Quote> {
  const body = { ...change, size, colour }
  const quote = await call('setCartLine', { params: { variantId }, body, signal })
  storeCount(quote.lines.length, true)
  return quote
}

export async function quoteLines(lines: CartLine[], signal?: AbortSignal): Promise<Cart> {
  if (lines.length === 0) {
    return { lines: [], total: 0, chargesAtCheckout: false, hasCoupons: false, mergeFailure: '' }
  }
  return toCart(await call('quoteCart', { body: { lines }, signal }), lines)
}

export const toCart = ({ lines, ...quote }: Quote, keys: LineKey[] = lines): Cart => ({
  ...quote,
  lines: lines.map((line, index) => ({ ...line, key: keys[index] ?? line })),
  mergeFailure: '',
})

type OrderedLine = Checkout['lines'][number]

/** Returns lines of a cart or an order as requests have them. */
export const toOrderedLines = (
  lines: (Omit<OrderedLine, 'bike'> & { fit?: { bike: { id: number } } | undefined })[],
): OrderedLine[] =>
  lines.map(({ variantId, quantity, unitPrice, size, colour, fit }) => ({
    variantId,
    quantity,
    unitPrice,
    size,
    colour,
    bike: fit?.bike.id,
  }))

/**
 * Removes the lines of an order that was placed. The shop removes a customer's lines itself; the cart counts them
 * again.
 */
export function removeOrdered(ordered: ShownLine[]): void {
  if (readAccessToken() !== null) {
    // If it fails, only the number in the navigation bar is outdated.
    readCart().catch(() => undefined)
    return
  }
  const ids = new Set(ordered.map(({ key }) => toLineId(key)))
  save(readLines().filter((line) => !ids.has(toLineId(line))))
}

async function mergeLines(signal: AbortSignal): Promise<void> {
  // The customer may have signed out while this code was loaded.
  if (readAccessToken() === null) return
  const sent = readLines()
  const quote =
    sent.length > 0
      ? await call('mergeCart', { body: { lines: sent }, signal })
      : await call('getCart', { signal })
  const texts = sent.map((line) => JSON.stringify(line))
  if (sent.length > 0) save(readLines().filter((line) => !texts.includes(JSON.stringify(line))))
  storeCount(quote.lines.length, sent.length > 0)
}
