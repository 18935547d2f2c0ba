import type { FastifyInstance } from 'fastify'
import type { Calls } from '../../http/calls.ts'
import { sendPage } from '../../platform/paging.ts'
import { cancelOrder } from './cancellation.ts'
import { presentRefund } from './present.ts'
import * as queries from './queries.ts'
import { confirmPayment, openPayment, type PaymentDeps, settleIntent } from './service.ts'

/** The URL of the provider's webhook, below `/api`. */
export const webhookPath = '/v1/payments/webhook'

export function registerPayments(calls: Calls, deps: PaymentDeps): void {
  calls.handle('createPaymentIntent', ({ body, caller }) => openPayment(deps, caller, body))

  calls.handle('payOrder', async ({ params, body, caller }) => ({
    acknowledged: true,
    modifiedCount: (await confirmPayment(deps, caller, params.id, body.transactionId)) ? 1 : 0,
  }))

  calls.handle('deleteOrder', async ({ query, caller }) => ({
    acknowledged: true,
    deletedCount: (await cancelOrder(deps, caller, query.id)) ? 1 : 0,
  }))

  calls.handle('listRefunds', async ({ query, reply }) =>
    sendPage(reply, await queries.listRefunds(deps.db, query)).map(presentRefund),
  )
}

/**
 * An event is only a reason to look: the provider is asked for the intent, so neither the order of events nor a repeated
 * one matters. If settling fails, the response is 5xx and the provider sends the event again.
 */
export async function registerWebhook(app: FastifyInstance, deps: PaymentDeps): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the bytes of the body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.post<{ Body: Buffer | undefined }>(webhookPath, async ({ headers, body = Buffer.alloc(0) }) => {
      const intentId = deps.gateway.readEvent(headers, body)
      if (intentId) await settleIntent(deps, intentId)
      return { received: true }
    })
  })
}
