import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

const favicon = readFileSync(new URL('../../drawings/favicon-plain.svg', import.meta.url), 'base64')

/**
 * Serves the viewer of the OpenAPI document at `/docs`. It loads nothing from other hosts. Its package keeps 17 MB in memory,
 * so it is opened at the first request.
 *
 * @param api the scope with the prefix `/api`
 */
export function registerApiDocs(api: FastifyInstance): void {
  let viewer: Promise<FastifyInstance> | undefined
  async function send({ url }: FastifyRequest, reply: FastifyReply) {
    viewer ??= openViewer()
    const { statusCode, headers, rawPayload } = await (await viewer).inject(url)
    return reply.code(statusCode).headers(headers).send(rawPayload)
  }
  api.get('/docs', send)
  api.get('/docs/*', send)
}

async function openViewer(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const viewer = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  viewer.addHook('onSend', async (_request, reply, payload) => {
    if (typeof payload === 'string') reply.header('Content-Security-Policy', policyFor(payload))
    return payload
  })
  await viewer.register(scalar, {
    routePrefix: '/api/docs',
    configuration: {
      url: '/api/openapi.json',
      pageTitle: 'API of the shop',
      favicon: `data:image/svg+xml;base64,${favicon}`,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  return viewer
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
