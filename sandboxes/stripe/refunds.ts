import { type Expression, sql } from 'kysely'
import { invalidRequest, missing } from './api-error.ts'
import { type Call, ok, type Reply } from './call.ts'
import { requireBehaviour } from './cards.ts'
import { lockSuccessfulCharge } from './charges.ts'
import { getDecisionTime } from './clock.ts'
import { recordEvent } from './events.ts'
import { newId } from './ids.ts'
import { readMetadata, requireInteger, requireText } from './params.ts'
import { requirePaymentMethod } from './payment-methods.ts'
import { presentCharge, presentRefund } from './present.ts'
import { type ChargeRow, chargeColumns, type RefundRow, refundColumns } from './tables.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 100

/** `POST /v1/refunds`: refunds `amount`, or by default the rest of the charge. */
export async function createRefund(call: Call): Promise<Reply> {
  const charge = await lockSuccessfulCharge(call, requireText(call.params, 'payment_intent'))
  const amount = requireRefundable(call.params, charge)
  const refund = await insertRefund(call, charge, amount, await planRefund(call, charge))
  const refunded = await call.db
    .updateTable('charges')
    .set({ amount_refunded_cents: charge.amount_refunded_cents + amount })
    .where('id', '=', charge.id)
    .returning(chargeColumns)
    .executeTakeFirstOrThrow()
  await recordEvent(call, 'charge.refunded', presentCharge(refunded))
  await recordEvent(call, 'refund.created', presentRefund(refund))
  return ok(presentRefund(refund))
}

/** `GET /v1/refunds/:id` */
export async function retrieveRefund(call: Call): Promise<Reply> {
  const row = await call.db
    .selectFrom('refunds')
    .select(refundColumns)
    .where('id', '=', call.id)
    .executeTakeFirst()
  if (!row) throw missing('refund', call.id)
  return ok(presentRefund(row))
}

/** `GET /v1/refunds`, optionally of one `payment_intent`: one page, newest first, after the refund `starting_after` */
export async function listRefunds(call: Call): Promise<Reply> {
  const intentId = call.params.get('payment_intent')
  const lastId = call.params.get('starting_after')
  const limit = readLimit(call.params)
  // One extra row shows whether there is a next page.
  let query = call.db
    .selectFrom('refunds')
    .select(refundColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (intentId) query = query.where('payment_intent_id', '=', intentId)
  if (lastId !== null) {
    const last = call.db.selectFrom('refunds').select(['created_at', 'id']).where('id', '=', lastId)
    if (!(await last.executeTakeFirst())) throw missing('refund', lastId, 'starting_after')
    query = query.where(sql<boolean>`(created_at, id) < ${last}`)
  }
  const rows = await query.execute()
  const data = rows.slice(0, limit).map(presentRefund)
  return ok({ object: 'list', url: '/v1/refunds', has_more: rows.length > limit, data })
}

function readLimit(params: URLSearchParams): number {
  if (!params.has('limit')) return DEFAULT_LIMIT
  const limit = requireInteger(params, 'limit')
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw invalidRequest(`This value must be between 1 and ${MAX_LIMIT} (it currently is '${limit}').`, {
    param: 'limit',
  })
}

function requireRefundable(params: URLSearchParams, charge: ChargeRow): number {
  const left = charge.amount_cents - charge.amount_refunded_cents
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  }
  if (!params.has('amount')) return left
  const amount = requireInteger(params, 'amount')
  if (amount < 1) throw invalidRequest('Invalid positive integer', { param: 'amount' })
  if (amount <= left) return amount
  const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`
  throw invalidRequest(message, { param: 'amount' })
}

/** The first status of a refund, and when it changes. */
interface RefundPlan {
  status: RefundRow['status']
  decided_at: Expression<Date> | null
}

async function planRefund({ db }: Call, charge: ChargeRow): Promise<RefundPlan> {
  const method = await requirePaymentMethod(db, charge.payment_method_id)
  const { refund } = requireBehaviour(method.behaviour)
  if (refund === 'pending first') return { status: 'pending', decided_at: getDecisionTime('refund') }
  const earlier = db.selectFrom('refunds').select('id').where('charge_id', '=', charge.id)
  const fails = refund === 'fails first' && (await earlier.executeTakeFirst()) === undefined
  return { status: 'succeeded', decided_at: fails ? getDecisionTime('refund') : null }
}

function insertRefund(call: Call, charge: ChargeRow, amount: number, plan: RefundPlan): Promise<RefundRow> {
  return call.db
    .insertInto('refunds')
    .values({
      id: newId('re'),
      charge_id: charge.id,
      payment_intent_id: charge.payment_intent_id,
      amount_cents: amount,
      currency: charge.currency,
      reason: call.params.get('reason'),
      metadata: JSON.stringify(readMetadata(call.params)),
      ...plan,
    })
    .returning(refundColumns)
    .executeTakeFirstOrThrow()
}
