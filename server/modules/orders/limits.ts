import type { Kysely } from 'kysely'
import { pluralize } from '../../../contract/plurals.ts'
import { formatWaitingTime } from '../../../contract/waiting-time.ts'
import type { Database } from '../../../db/schema.ts'
import { inTransaction, retryTransient } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { groupIp, wideNetwork, wideNetworkFactor } from '../../platform/http/ip.ts'
import * as cart from '../cart/service.ts'
import { hasVerifiedIdentity, verifiedIdentity } from '../customers/service.ts'
import type { OrderEmails } from './emails.ts'
import type { OrderLimit } from './queries.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import type { OrderTerms } from './rules.ts'

export interface PlaceDeps {
  db: Kysely<Database>
  terms: OrderTerms
  /** Null if the shop does not send email. */
  orderEmails: Pick<OrderEmails, 'enqueue' | 'enqueuePaymentLink' | 'wake'> | null
}

/** The IP of a buyer whose IP is unknown: all of these share one limit. */
const unknownIp = '0.0.0.0'

/**
 * Places an order if its buyer has not too many unpaid ones, so that no one can reserve the stock for nothing. An order by
 * phone has no such limit. Queues the email about an order of a guest or by phone. For a customer with a verified email one
 * statement decides; other buyers, and concurrent orders of one customer, wait for a lock first.
 *
 * @returns false if a variant, its stock or minimum, a price or the total do not match, or if the key was used before
 * @throws TOO_MANY_OPEN_ORDERS, GUEST_ORDER_TOO_LARGE; the violations that `placeOrder` throws
 */
export async function placeWithinLimits(
  { db, terms, orderEmails }: PlaceDeps,
  order: repository.NewOrder,
): Promise<boolean> {
  const { customerId, ip } = order.buyer
  if (order.placedBy) {
    return inTransaction(db, async (tx) => {
      if ((await repository.placeOrder(tx, order)) !== 'placed') return false
      await orderEmails?.enqueuePaymentLink(tx, order.id)
      return true
    })
  }
  if (customerId !== null) {
    const limit = {
      max: terms.unpaidOrdersPerCustomer,
      hours: terms.unpaidOrderHours,
      verifiedIdentity: verifiedIdentity(customerId),
    }
    const result = await retryTransient(db, () => repository.placeOrder(db, order, { limit }))
    if (result !== 'limited') return result === 'placed'
  }
  // A repeated request returns its order, even if the buyer has reached a limit since, or by the first request.
  const isPlaced = async (at: Kysely<Database>) =>
    order.idempotencyKey && (await queries.findOrderByKey(at, customerId, order.idempotencyKey))
  const isVerified = customerId !== null && (await hasVerifiedIdentity(db, customerId))
  const countedIp = isVerified ? null : (ip ?? unknownIp)
  const limits = listLimits(order, countedIp, terms)
  // Counted before it looks for the order: the orders counted may include it.
  const tooMany = await findTooMany(db, limits, terms)
  if (await isPlaced(db)) return false
  if (!isVerified) await refuseTooLarge(db, order, terms)
  if (tooMany) throw tooMany
  return inTransaction(db, async (tx) => {
    await repository.lockLimits(
      tx,
      limits.map(({ who }) => who),
    )
    if (await isPlaced(tx)) return false
    const tooManyNow = await findTooMany(tx, limits, terms)
    if (tooManyNow) throw tooManyNow
    if ((await repository.placeOrder(tx, order, { countedIp })) !== 'placed') return false
    // A guest has no list of orders: without the link in the email, a closed tab would lose the order.
    if (customerId === null) await orderEmails?.enqueue(tx, 'order-placed', order.id)
    return true
  })
}

function listLimits(
  { buyer, email }: repository.NewOrder,
  countedIp: string | null,
  terms: OrderTerms,
): OrderLimit[] {
  const limits: OrderLimit[] =
    buyer.customerId === null
      ? [{ scope: 'email', who: email ?? '', max: terms.guestOrdersPerEmail }]
      : [{ scope: 'customer', who: buyer.customerId, max: terms.unpaidOrdersPerCustomer }]
  if (countedIp === null) return limits
  const max = terms.guestOrdersPerNetwork
  const network = groupIp(countedIp)
  const wide = wideNetwork(network)
  limits.push({ scope: 'network', who: network, max })
  if (wide) limits.push({ scope: 'network', who: wide, max: max * wideNetworkFactor })
  return limits
}

/** Returns the refusal of the first limit that is reached. */
async function findTooMany(
  db: Kysely<Database>,
  limits: OrderLimit[],
  terms: OrderTerms,
): Promise<ShopError | null> {
  for (const limit of limits) {
    const retryAfter = await queries.findSecondsToWait(db, limit, terms)
    if (retryAfter === null) continue
    const message = explain(limit, retryAfter)
    return new ShopError('TOO_MANY_OPEN_ORDERS', { retryAfter, details: { acknowledged: false, message } })
  }
  return null
}

function explain({ scope, max }: OrderLimit, secondsToWait: number): string {
  const orders = pluralize(max, 'unpaid order')
  const later = `try again in ${formatWaitingTime(secondsToWait)}`
  if (scope === 'customer') return `You have ${orders}. Pay or cancel one in My Orders, then order again.`
  if (scope === 'email') return `This email has ${orders}. Pay or cancel one, or ${later}.`
  return `Too many unpaid orders come from your network. Pay or cancel one of yours, or ${later}.`
}

/** A single line may have the minimum order of its product. */
async function refuseTooLarge(
  db: Kysely<Database>,
  { buyer, lines }: repository.NewOrder,
  { guestOrderPieces }: OrderTerms,
): Promise<void> {
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  if (pieces <= guestOrderPieces || pieces <= (await findMinimum(db, lines))) return
  const need = buyer.customerId === null ? 'an account. Please log in.' : 'a confirmed email address.'
  const message = `Orders of more than ${guestOrderPieces} pieces need ${need}`
  throw new ShopError('GUEST_ORDER_TOO_LARGE', { details: { acknowledged: false, message } })
}

/** Returns the minimum order of the only line, or 0. The first variant of a product has its id. */
async function findMinimum(db: Kysely<Database>, [line, ...others]: repository.NewLine[]): Promise<number> {
  if (!line || others.length > 0) return 0
  const variantId = line.variantId ?? line.productId ?? ''
  return (await cart.quote(db, [{ variantId, quantity: line.quantity }])).lines[0]?.minimum ?? 0
}
