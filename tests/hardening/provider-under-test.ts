import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { openSandboxListener } from '../../sandboxes/stripe/listener.ts'
import { openPaymentSandbox } from '../../sandboxes/stripe/sandbox.ts'
import { openStripeGateway, type PaymentGateway } from '../../server/modules/payments/stripe.ts'
import { fillDataFolder } from '../copied-data.ts'
import { makeEmbeddedPostgresFolder } from '../embedded-postgres-folder.ts'
import { listen, stop } from '../listen.ts'
import { type HttpProxy, openHttpProxy } from '../proxy.ts'
import { cleanup } from './cleanup.ts'
import type { ShopUnderTest } from './shop-under-test.ts'

/**
 * The Stripe sandbox in the process of the harness, behind a fault proxy. It stores its records in the shop's
 * database, so that one query can compare both.
 */
export interface ProviderUnderTest {
  /** Settings with which the shop uses this provider. */
  settings: Record<string, string>
  /** All calls of the shop and of the customers go through this proxy. */
  proxy: HttpProxy
  publishableKey: string
  webhookSecret: string
  /** Charges an order by a payment that the shop did not create, like an employee in the provider's dashboard. */
  payAtDesk(orderId: string, amountCents: number): Promise<void>
  /** Refunds a whole payment, as an employee does in the provider's dashboard. */
  refundAtDesk(intentId: string): Promise<void>
  /**
   * Starts the provider on a migrated database, such as a started shop's.
   *
   * @param onEvent receives the body of each webhook
   * @returns a gateway that bypasses the fault proxy
   */
  open(shop: Pick<ShopUnderTest, 'databaseUrl'>, onEvent: (body: string) => void): Promise<PaymentGateway>
}

export async function openProviderUnderTest(): Promise<ProviderUnderTest> {
  const key = (prefix: string) => prefix + randomBytes(12).toString('hex')
  const keys = { secretKey: key('sk_test_'), publishableKey: key('pk_test_'), webhookSecret: key('whsec_') }
  const proxy = await openHttpProxy()
  cleanup.add(proxy.close)
  function openDesk(): Stripe {
    const { hostname: host, port } = new URL(proxy.targets[0] ?? '')
    return new Stripe(keys.secretKey, { host, port, protocol: 'http', telemetry: false })
  }
  return {
    settings: {
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      STRIPE_API_URL: proxy.url,
    },
    proxy,
    publishableKey: keys.publishableKey,
    webhookSecret: keys.webhookSecret,
    async refundAtDesk(intentId) {
      await openDesk().refunds.create({ payment_intent: intentId, metadata: { desk: 'yes' } })
    },
    async payAtDesk(orderId, amountCents) {
      const stripe = openDesk()
      const metadata = { orderId, desk: 'yes' }
      const { id } = await stripe.paymentIntents.create({ amount: amountCents, currency: 'usd', metadata })
      await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    },
    async open({ databaseUrl }, onEvent) {
      // The error of a later request belongs to this check.
      const error = AsyncLocalStorage.bind((details: unknown) => cleanup.add(() => Promise.reject(details)))
      const sandbox = openPaymentSandbox({
        databaseUrl,
        ...keys,
        webhook: { url: await openInbox(onEvent), secret: keys.webhookSecret },
        log: { warn: () => undefined, error },
      })
      cleanup.add(sandbox.close)
      const { close, ...api } = await openSandboxListener(sandbox)
      cleanup.add(close)
      proxy.targets = [`${api.protocol}://${api.host}:${api.port}`]
      return openStripeGateway({ ...keys, api })
    },
  }
}

/** Starts the provider on a Postgres of its own, which no failure of the shop's database affects. Webhooks reach no shop. */
export async function openSeparateProvider(): Promise<ProviderUnderTest> {
  const folder = makeEmbeddedPostgresFolder()
  cleanup.add(folder.remove)
  await fillDataFolder(folder.dataDir)
  const { url } = await folder.open()
  const provider = await openProviderUnderTest()
  await provider.open({ databaseUrl: url }, () => undefined)
  return provider
}

async function openInbox(onEvent: (body: string) => void): Promise<string> {
  const server = createServer((request, reply) => void handle(request, reply))

  async function handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await buffer(request)
    reply.end()
    onEvent(body.toString())
  }
  cleanup.add(() => stop(server))
  return `http://127.0.0.1:${await listen(server)}/`
}
