import Fastify from 'fastify'
import { sandboxApi } from './api.ts'
import type { PaymentSandbox } from './sandbox.ts'

/** Where the server's SDK finds the sandbox: pass it on as `api` to `openStripeGateway`. */
export interface SandboxListener {
  host: string
  port: number
  protocol: 'http'
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Serves the whole API to this machine only, on a free port: Stripe's SDK can be given no path in front of `/v1`. */
export async function openSandboxListener(sandbox: PaymentSandbox): Promise<SandboxListener> {
  // A longer id than any of ours is unknown, as at Stripe, and no fault of the address.
  const app = Fastify({ routerOptions: { maxParamLength: 500 } })
  sandboxApi(app, sandbox, ['secret', 'publishable'])
  const { port } = new URL(await app.listen({ host: LOOPBACK, port: 0 }))
  return { host: LOOPBACK, port: Number(port), protocol: 'http', close: () => app.close() }
}
