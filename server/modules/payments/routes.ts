import type { FastifyInstance } from 'fastify'
import { ShopError } from '../../platform/shop-error.ts'
import { SignatureInvalid } from './gateway.ts'
import * as repository from './repository.ts'
import type { PaymentDeps } from './service.ts'

/** Where the provider delivers its events, below `/api`. */
export const webhookPath = '/v1/payments/webhook'

/**
 * The provider's webhook. An event is only a reason to look: `settle` asks the provider how the intent stands, so the
 * order of arrival does not matter. It is remembered once it is handled; what fails is answered 5xx and comes again.
 */
export async function registerWebhook(
  app: FastifyInstance,
  { db, gateway }: PaymentDeps,
  settle: (intentId: string) => Promise<unknown>,
): Promise<void> {
  await app.register(async (webhook) => {
    // The signature is over the bytes as they came.
    webhook.removeAllContentTypeParsers()
    webhook.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    webhook.post<{ Body: Buffer }>(webhookPath, async (request) => {
      const event = readEvent(request.body, request.headers['stripe-signature'])
      if (event.intentId && !(await repository.hasEvent(db, event.id))) {
        await settle(event.intentId)
        await repository.insertEvent(db, event)
      }
      return { received: true }
    })
  })

  function readEvent(body: unknown, signature: string | string[] | undefined) {
    try {
      return gateway.readEvent(Buffer.isBuffer(body) ? body : Buffer.alloc(0), String(signature ?? ''))
    } catch (error) {
      if (error instanceof SignatureInvalid) throw new ShopError('INVALID_SIGNATURE', { cause: error })
      throw error
    }
  }
}
