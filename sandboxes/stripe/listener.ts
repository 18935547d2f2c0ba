import Fastify from 'fastify'
import { sandboxApi } from './api.ts'
import type { PaymentSandbox } from './sandbox.ts'

/** Host and port of the sandbox's API. Pass it as `api` to `openStripeGateway`. */
export interface SandboxListener {
  host: string
  port: number
  protocol: 'http'
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Serves the API on a free local port, because Stripe's SDK does not support a path before `/v1`. */
export async function openSandboxListener(sandbox: PaymentSandbox): Promise<SandboxListener> {
  // Like Stripe, treat an id that is too long as an unknown object, not as an unknown URL.
  const app = Fastify({ routerOptions: { maxParamLength: 500 } })
  sandboxApi(app, sandbox, ['secret', 'publishable'])
  const { port } = new URL(await app.listen({ host: LOOPBACK, port: 0 }))
  return { host: LOOPBACK, port: Number(port), protocol: 'http', close: () => app.close() }
}
