import type { Answer, Call, Caller } from './call.ts'
import { listCharges } from './charges.ts'
import { authenticateIntent, confirmIntent } from './confirm.ts'
import { decideIntentNow, decideRefundNow } from './decisions.ts'
import { listEvents, retrieveEvent } from './events.ts'
import { cancelIntent, createIntent, listIntents, retrieveIntent } from './intents.ts'
import { createPaymentMethod } from './payment-methods.ts'
import { createRefund, listRefunds, retrieveRefund } from './refunds.ts'

export interface Operation {
  method: 'GET' | 'POST'
  path: string
  callers: readonly Caller[]
  /** Every parameter it takes; see `refuseUnknown`. */
  params: readonly string[]
  run: (call: Call) => Promise<Answer>
}

const SERVER: readonly Caller[] = ['secret']
const ANYONE: readonly Caller[] = ['secret', 'publishable']

/** The part of Stripe's API that the sandbox speaks, and who may use which of it. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/payment_intents',
    callers: SERVER,
    params: ['amount', 'currency', 'description', 'metadata[*]', 'allowed_payment_method_types[0]'],
    run: createIntent,
  },
  { method: 'GET', path: '/v1/payment_intents', callers: SERVER, params: ['limit'], run: listIntents },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    callers: ANYONE,
    params: ['client_secret'],
    run: retrieveIntent,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    callers: ANYONE,
    params: ['client_secret', 'payment_method'],
    run: confirmIntent,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/sandbox_authenticate',
    callers: ANYONE,
    params: ['client_secret', 'outcome'],
    run: authenticateIntent,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/sandbox_decide',
    callers: ANYONE,
    params: ['client_secret'],
    run: decideIntentNow,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    callers: SERVER,
    params: ['cancellation_reason'],
    run: cancelIntent,
  },
  {
    method: 'POST',
    path: '/v1/payment_methods',
    callers: ANYONE,
    params: ['type', 'card[*]'],
    run: createPaymentMethod,
  },
  {
    method: 'POST',
    path: '/v1/refunds',
    callers: SERVER,
    params: ['payment_intent', 'amount', 'reason', 'metadata[*]'],
    run: createRefund,
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    callers: SERVER,
    params: ['payment_intent', 'limit'],
    run: listRefunds,
  },
  {
    method: 'POST',
    path: '/v1/refunds/:id/sandbox_decide',
    callers: ANYONE,
    params: [],
    run: decideRefundNow,
  },
  { method: 'GET', path: '/v1/refunds/:id', callers: SERVER, params: [], run: retrieveRefund },
  {
    method: 'GET',
    path: '/v1/charges',
    callers: SERVER,
    params: ['payment_intent', 'limit'],
    run: listCharges,
  },
  { method: 'GET', path: '/v1/events', callers: SERVER, params: ['type', 'limit'], run: listEvents },
  { method: 'GET', path: '/v1/events/:id', callers: SERVER, params: [], run: retrieveEvent },
]
