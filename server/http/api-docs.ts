import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

const favicon = readFileSync(new URL('../../drawings/favicon.svg', import.meta.url), 'base64')

/** Serves the viewer of the OpenAPI document at `/docs`. It loads nothing from other hosts. */
export async function registerApiDocs(api: FastifyInstance): Promise<void> {
  await api.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload === 'string') reply.header('Content-Security-Policy', policyFor(payload))
      return payload
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/api/openapi.json',
        pageTitle: 'Torque Yard API',
        favicon: `data:image/svg+xml;base64,${favicon}`,
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    })
  })
}

/** The viewer adds style elements, so this page alone allows inline styles. */
function policyFor(html: string): string {
  const scripts = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, script = '']) => script)
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
