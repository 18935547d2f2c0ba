import type { Call, Caller, Reply } from './call.ts'
import { authenticateIntent, confirmIntent } from './confirm.ts'
import { decideIntentNow, decideRefundNow } from './decisions.ts'
import { cancelIntent, createIntent, retrieveIntent } from './intents.ts'
import { createPaymentMethod } from './payment-methods.ts'
import { createRefund, listRefunds, retrieveRefund } from './refunds.ts'

export interface Operation {
  method: 'GET' | 'POST'
  path: string
  callers: readonly Caller[]
  /** All allowed parameters; see `refuseUnknown`. */
  params: readonly string[]
  run: (call: Call) => Promise<Reply>
}

const SERVER_ONLY: readonly Caller[] = ['secret']
const ALL_CALLERS: readonly Caller[] = ['secret', 'publishable']

/** The supported part of Stripe's API, with the callers of each operation. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/payment_intents',
    callers: SERVER_ONLY,
    params: ['amount', 'currency', 'description', 'metadata[*]', 'allowed_payment_method_types[0]'],
    run: createIntent,
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    callers: ALL_CALLERS,
    params: ['client_secret'],
    run: retrieveIntent,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    callers: ALL_CALLERS,
    params: ['client_secret', 'payment_method'],
    run: confirmIntent,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/sandbox_authenticate',
    callers: ALL_CALLERS,
    params: ['client_secret', 'outcome'],
    run: authenticateIntent,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/sandbox_decide',
    callers: ALL_CALLERS,
    params: ['client_secret'],
    run: decideIntentNow,
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    callers: SERVER_ONLY,
    params: ['cancellation_reason'],
    run: cancelIntent,
  },
  {
    method: 'POST',
    path: '/v1/payment_methods',
    callers: ALL_CALLERS,
    params: ['type', 'card[*]'],
    run: createPaymentMethod,
  },
  {
    method: 'POST',
    path: '/v1/refunds',
    callers: SERVER_ONLY,
    params: ['payment_intent', 'amount', 'reason', 'metadata[*]'],
    run: createRefund,
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    callers: SERVER_ONLY,
    params: ['payment_intent', 'limit', 'starting_after'],
    run: listRefunds,
  },
  {
    method: 'POST',
    path: '/v1/refunds/:id/sandbox_decide',
    callers: ALL_CALLERS,
    params: [],
    run: decideRefundNow,
  },
  { method: 'GET', path: '/v1/refunds/:id', callers: SERVER_ONLY, params: [], run: retrieveRefund },
]
