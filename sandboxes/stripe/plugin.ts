import type { FastifyInstance, FastifyReply } from 'fastify'
import { sandboxApi } from './api.ts'
import { BROWSER_FILES, type BrowserFile, readBrowserFile } from './browser-files.ts'
import type { PaymentSandbox } from './sandbox.ts'

/** Pages of the sandbox stand in frames of the shop's pages, and need nothing but their own files and API. */
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
 * What the browser needs, for `app.register(paymentSandbox, { prefix: '/sandbox/payments', sandbox })`: the
 * stand-in for Stripe.js with its card field and 3-D Secure page, and the part of the API that a publishable key opens.
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
