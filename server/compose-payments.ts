import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { openSandboxListener } from '../sandboxes/stripe/listener.ts'
import { paymentSandbox } from '../sandboxes/stripe/plugin.ts'
import { openPaymentSandbox } from '../sandboxes/stripe/sandbox.ts'
import type { Config, StripeKeys } from './config/config.ts'
import { webhookPath } from './modules/payments/routes.ts'
import { openStripeGateway } from './modules/payments/stripe.ts'
import { deriveKey } from './platform/secrets/secrets.ts'

interface Options {
  config: Config
  databaseUrl: string
  secret: string
  log: FastifyBaseLogger
}

const sandboxPrefix = '/sandbox/payments'

/**
 * Opens Stripe if its keys are set, else the sandbox behind the same SDK. Returns the gateway, the settings of the card
 * form, and a function that registers the routes of the sandbox.
 */
export async function openPayments(options: Options, cleanup: AsyncDisposableStack) {
  const { config, databaseUrl, secret, log } = options
  if (config.stripe !== 'sandbox') {
    const browser = { publishableKey: config.stripe.publishableKey, script: null }
    return { gateway: openStripeGateway(config.stripe), browser, register: async () => undefined }
  }
  const { secretKey, publishableKey, webhookSecret } = sandboxKeys(secret)
  const url = `http://${ownHost(config)}:${config.port}/api${webhookPath}`
  const sandbox = openPaymentSandbox({
    databaseUrl,
    secretKey,
    publishableKey,
    // A worker has no webhook endpoint. The events are in the database, and other processes send them.
    webhook: config.role === 'worker' ? null : { url, secret: webhookSecret },
    log,
  })
  cleanup.defer(sandbox.close)
  const { close, ...api } = await openSandboxListener(sandbox)
  cleanup.defer(close)
  return {
    gateway: openStripeGateway({ secretKey, webhookSecret, api }),
    browser: { publishableKey, script: `${sandboxPrefix}/stripe.js` },
    register: async (app: FastifyInstance) => {
      await app.register(paymentSandbox, { prefix: sandboxPrefix, sandbox })
    },
  }
}

/** Returns the keys of the sandbox, the same in every process that has the secret of the shop. */
export function sandboxKeys(secret: string): StripeKeys {
  const key = (prefix: string) => prefix + deriveKey(secret, `payment sandbox ${prefix}`).toString('hex')
  return { secretKey: key('sk_test_'), publishableKey: key('pk_test_'), webhookSecret: key('whsec_') }
}

/** Returns the host name by which this process can call itself, even if it listens on all addresses. */
function ownHost({ host }: Config): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
