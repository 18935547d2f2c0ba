import type { Kysely } from 'kysely'
import type { CartLine, CartLineChange } from '../../../contract/cart.ts'
import { maxCartLines, maxQuantity } from '../../../contract/limits.ts'
import { toCents, toDollars } from '../../../contract/money.ts'
import type { Quote } from '../../../contract/quote.ts'
import type { Database } from '../../../db/schema.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { lockBikes } from '../bikes/service.ts'
import { lockCustomer } from '../customers/service.ts'
import { findLineFits } from '../fitment/service.ts'
import * as pricing from '../pricing/service.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { chosenOptions, lacksChoice, mergePlainLines, quoteLines, toUnitPrice } from './rules.ts'

/**
 * Prices lines as they would be ordered now, with at most one problem for each. Never drops a line.
 *
 * @throws CART_TOO_LARGE
 */
export async function quote(
  db: Kysely<Database>,
  lines: CartLine[],
  request: pricing.ChargeRequest = {},
): Promise<Quote> {
  if (lines.length > maxCartLines) throw new ShopError('CART_TOO_LARGE')
  return priceLines(db, lines, await readOffers(db, lines), request)
}

const readOffers = async (db: Kysely<Database>, lines: CartLine[]): Promise<queries.Offer[]> =>
  lines.length > 0
    ? queries.findOffers(
        db,
        lines.map(({ variantId }) => variantId),
      )
    : []

async function priceLines(
  db: Kysely<Database>,
  lines: CartLine[],
  offers: queries.Offer[],
  request: pricing.ChargeRequest = {},
): Promise<Quote> {
  const charged = lines.map((line) => {
    const { variantId, quantity } = line
    const offer = offers.find(({ id }) => id === variantId)
    return { variantId, quantity, unitPriceCents: toUnitPrice(line, offer) }
  })
  const { terms, quoted } = await pricing.findTerms(db, charged, request)
  const priced = { ...quoted, ...quoteLines(lines, offers, terms) }
  const fits = await findLineFits(
    db,
    priced.lines.map(({ productId }, index) => ({ productId, bike: lines[index]?.bike })),
  )
  return { ...priced, lines: priced.lines.map((line, index) => ({ ...line, fit: fits[index] })) }
}

/** Returns the priced cart of a customer, oldest line first. */
export async function getCart(db: Kysely<Database>, customerId: string): Promise<Quote> {
  const rows = await repository.listLines(db, customerId)
  const lines = rows.map(toCartLine)
  const offers = await readOffers(db, lines)
  return priceLines(db, mergePlainLines(lines, offers), offers)
}

/**
 * Sets the quantity of a line or adds to it, and sets its bike if there is one in the change; 0 removes the line. A product without standard
 * options has one line for each variant. Returns the priced cart.
 *
 * @throws VARIANT_NOT_FOUND if a variant that is not sold is to be added, CHOICE_REQUIRED, BIKE_NOT_FOUND, CART_TOO_LARGE
 */
export function setLine(
  db: Kysely<Database>,
  customerId: string,
  variantId: string,
  { quantity, addition, bike, ...options }: CartLineChange,
): Promise<Quote> {
  return inTransaction(db, async (tx) => {
    const cart = await lockCart(tx, customerId)
    const [offer] = await queries.findOffers(tx, [variantId])
    const key = { variant_id: variantId, ...toColumns(chosenOptions(options, offer)) }
    const isSame = (line: repository.LineKey) => toKey(line) === toKey(key)
    const replaced =
      offer?.options === 'standard'
        ? cart.filter(isSame)
        : cart.filter((line) => line.variant_id === variantId)
    const [present] = replaced
    const inCart = replaced.reduce((sum, line) => sum + line.quantity, 0)
    // A repeated request: the response to the first one was lost.
    if (addition && present && [present.last_addition, ...present.earlier_additions].includes(addition.id))
      return getCart(tx, customerId)
    if (quantity === 0) {
      await repository.deleteLines(tx, customerId, replaced)
      return getCart(tx, customerId)
    }
    if (!offer?.is_sold) throw new ShopError('VARIANT_NOT_FOUND')
    if (lacksChoice(options, offer)) throw new ShopError('CHOICE_REQUIRED')
    if (cart.length >= maxCartLines && replaced.length === 0) throw new ShopError('CART_TOO_LARGE')
    if (bike && !(await lockBikes(tx, [bike])).has(bike)) throw new ShopError('BIKE_NOT_FOUND')
    const bike_id = bike === undefined ? (present?.bike_id ?? null) : bike
    const line = {
      ...key,
      quantity: addition ? Math.min(addition.pieces + inCart, maxQuantity) : quantity,
      unit_price_cents: offer.price_cents,
      bike_id,
      last_addition: addition?.id ?? null,
    }
    await repository.writeLines(tx, customerId, [line])
    await repository.deleteLines(
      tx,
      customerId,
      replaced.filter((line) => !isSame(line)),
    )
    return getCart(tx, customerId)
  })
}

/**
 * Adds the lines of a browser to a cart: a line that both have gets the larger quantity, so that a repeated merge changes
 * nothing, and the bike of the browser. Skips ids of variants and bikes that do not exist. A line without its size or colour
 * stays, so that nothing is lost, and has a problem. Returns the priced cart.
 *
 * @throws CART_TOO_LARGE, without any change
 */
export function mergeCart(db: Kysely<Database>, customerId: string, lines: CartLine[]): Promise<Quote> {
  if (lines.length > maxCartLines) return Promise.reject(new ShopError('CART_TOO_LARGE'))
  return inTransaction(db, async (tx) => {
    const cart = await lockCart(tx, customerId)
    const ids = lines.map(({ variantId }) => variantId)
    const bikes = lines.flatMap(({ bike }) => bike ?? [])
    const added = toRows(lines, await queries.findOffers(tx, ids), await lockBikes(tx, bikes))
    const merged = new Map<string, Pick<repository.NewCartRow, 'quantity' | 'bike_id'>>(
      cart.map((line) => [toKey(line), line]),
    )
    for (const line of added) {
      const same = merged.get(toKey(line))
      line.quantity = Math.max(line.quantity, same?.quantity ?? 0)
      line.bike_id ??= same?.bike_id ?? null
      merged.set(toKey(line), line)
    }
    if (merged.size > maxCartLines) throw new ShopError('CART_TOO_LARGE')
    await repository.writeLines(tx, customerId, added)
    return getCart(tx, customerId)
  })
}

export const emptyCart = async (tx: Kysely<Database>, customerId: string): Promise<void> =>
  repository.deleteLines(tx, customerId, await lockCart(tx, customerId))

/**
 * Locks a cart until the transaction ends, and returns its lines. First the customer, which orders do not wait for, then
 * the lines (decision 38).
 */
async function lockCart(tx: Kysely<Database>, customerId: string): Promise<repository.CartRow[]> {
  await lockCustomer(tx, customerId)
  return repository.lockLines(tx, customerId)
}

/** Converts lines to rows. Lines of one variant and the same options become one row with all their pieces. */
function toRows(lines: CartLine[], offers: queries.Offer[], bikes: Set<number>): repository.NewCartRow[] {
  const rows = new Map<string, repository.NewCartRow>()
  for (const { variantId, quantity, unitPrice, bike = 0, ...options } of lines) {
    const offer = offers.find(({ id }) => id === variantId)
    if (!offer) continue
    const row = {
      variant_id: variantId,
      ...toColumns(chosenOptions(options, offer)),
      quantity,
      unit_price_cents: unitPrice === undefined ? offer.price_cents : toCents(unitPrice),
      bike_id: bikes.has(bike) ? bike : null,
    }
    const same = rows.get(toKey(row))
    if (same) same.quantity = Math.min(same.quantity + quantity, maxQuantity)
    else rows.set(toKey(row), row)
  }
  return [...rows.values()]
}

const toColumns = ({ size = '', colour = '' }: Pick<CartLine, 'size' | 'colour'>) => ({ size, colour })

/** Identifies a line within a cart. */
const toKey = ({ variant_id, size, colour }: repository.LineKey) => JSON.stringify([variant_id, size, colour])

const toCartLine = (row: repository.CartRow): CartLine => ({
  variantId: row.variant_id,
  quantity: row.quantity,
  unitPrice: toDollars(row.unit_price_cents),
  size: row.size || undefined,
  colour: row.colour || undefined,
  bike: row.bike_id ?? undefined,
})
