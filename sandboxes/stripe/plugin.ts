import type { FastifyInstance, FastifyReply } from 'fastify'
import { sandboxApi } from './api.ts'
import { BROWSER_FILES, type BrowserFile, readBrowserFile } from './browser-files.ts'
import type { PaymentSandbox } from './sandbox.ts'

/** The sandbox's pages run in frames of the shop. They need only their own files and API. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/**
 * Plugin for `app.register(paymentSandbox, { prefix: '/sandbox/payments', sandbox })`. Serves the replacement of
 * Stripe.js with its card field and 3-D Secure page, and the calls that accept a publishable key.
 */
export async function paymentSandbox(
  app: FastifyInstance,
  { sandbox }: { sandbox: PaymentSandbox },
): Promise<void> {
  for (const name of BROWSER_FILES) {
    const file = await readBrowserFile(name)
    app.get(`/${name}`, (_request, reply) => sendFile(reply, file))
  }
  await app.register(async (api) => sandboxApi(api, sandbox, ['publishable']))
}

function sendFile(reply: FastifyReply, file: BrowserFile): FastifyReply {
  reply.type(file.type).header('cache-control', 'no-cache').header('x-content-type-options', 'nosniff')
  if (file.type.startsWith('text/html')) {
    reply.header('content-security-policy', FRAME_POLICY).header('x-frame-options', 'SAMEORIGIN')
  }
  return reply.send(file.body)
}
