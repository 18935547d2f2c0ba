import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { toDollars } from '../../../contract/money.ts'
import type { Calls } from '../../http/calls.ts'
import { sendCsv } from '../../platform/database/csv-export.ts'
import { sendPage } from '../../platform/http/paging.ts'
import * as orders from '../orders/service.ts'
import { cancelOrder, cancelOrRefund } from './cancellation.ts'
import { countDecline, type LimitedDeps, type PaymentLimiter } from './limits.ts'
import { presentRefund } from './present.ts'
import * as queries from './queries.ts'
import { closeRefund } from './refunds.ts'
import { confirmPayment, openPayment, type PaymentServices, settleIntent } from './service.ts'

/** The URL of the provider's webhook, below `/api`. */
export const webhookPath = '/v1/payments/webhook'

interface Services extends PaymentServices {
  rateLimiter: PaymentLimiter
  /** Of `background`, for queries that stream their rows. */
  pool: Pool
}

export function registerPayments(calls: Calls, { rateLimiter, pool, ...services }: Services): void {
  const countCall = ({ ip }: { ip: string }) => rateLimiter.countIp('paymentCallsPerIp', ip)

  calls.handle('createPaymentIntent', async ({ body, caller, db, request }) => {
    await countCall(request)
    const { clientData } = await openPayment({ ...services, db }, async () => {
      const order = await orders.requirePayableOrder(db, caller, body)
      await rateLimiter.requireBelow('declinesPerOrder', order.id)
      return order
    })
    return clientData
  })

  calls.handle('payOrder', async ({ params, body, caller, db, request }) => {
    await countCall(request)
    const order = await orders.requireOrder(db, caller, params.id, null)
    return {
      acknowledged: true,
      modifiedCount: (await confirmPayment({ ...services, db }, order, body.transactionId)) ? 1 : 0,
    }
  })

  calls.handle('deleteOrder', async ({ query, caller, db }) => {
    const order = await orders.requireOrder(db, caller, query.id, 'cancel', {
      includesCancelled: true,
    })
    return {
      acknowledged: true,
      deletedCount: (await cancelOrder({ ...services, db }, order, caller)) ? 1 : 0,
    }
  })

  calls.handle('cancelOrder', async (input) => {
    const deps = { ...services, db: input.db }
    const { order, reader } = await orders.requireOrderByKey(deps, input, input.params.id, 'cancel')
    const { isCancelled, refundedCents } = await cancelOrRefund(deps, order, reader)
    return {
      cancelled: isCancelled,
      refunded: refundedCents === null ? undefined : toDollars(refundedCents),
    }
  })

  calls.handle('openOrderPayment', async (input) => {
    await countCall(input.request)
    const deps = { ...services, db: input.db }
    const { clientData, amountCents } = await openPayment(deps, async () => {
      const { order } = await orders.requireOrderByKey(deps, input, input.params.id, null)
      orders.requireTransition('pay', order.status)
      await rateLimiter.requireBelow('declinesPerOrder', order.id)
      return order
    })
    return { clientSecret: clientData.client_secret, amount: toDollars(amountCents) }
  })

  calls.handle('confirmOrderPayment', async (input) => {
    await countCall(input.request)
    const deps = { ...services, db: input.db }
    const { order } = await orders.requireOrderByKey(deps, input, input.params.id, null)
    return { paid: await confirmPayment(deps, order, input.body.transactionId) }
  })

  calls.handle('closeRefund', async ({ params, body, caller, db }) =>
    presentRefund(await closeRefund({ ...services, db }, params.id, body.note, caller)),
  )

  calls.handle('listRefunds', async ({ query, db, reply }) =>
    sendPage(reply, await queries.listRefunds(db, query)).map(presentRefund),
  )

  calls.handle('exportRefunds', async ({ query, db, reply }) =>
    sendCsv(reply, {
      pool,
      name: 'refunds',
      query: queries.exportRefunds(db, query),
      decimals: query.decimals,
      bom: query.bom,
    }),
  )
}

/**
 * An event is only a reason to look: the provider is asked for the intent, so neither the order of events nor a repeated
 * one matters. If settling fails, the response is 5xx and the provider sends the event again. A repeated decline counts
 * again, for which the limit has room.
 */
export async function registerWebhook(app: FastifyInstance, deps: LimitedDeps): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the bytes of the body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.post<{ Body: Buffer | undefined }>(webhookPath, async ({ headers, body = Buffer.alloc(0) }) => {
      const event = deps.gateway.readEvent(headers, body)
      if (event) await settleIntent(deps, event.intentId)
      if (event?.isDecline) await countDecline(deps, event.intentId)
      return { received: true }
    })
  })
}
