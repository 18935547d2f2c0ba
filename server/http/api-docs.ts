import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance } from 'fastify'
import { type PreparedResponse, prepareResponse, sendResponse } from './send-response.ts'

const favicon = readFileSync(new URL('../../drawings/favicon-plain.svg', import.meta.url), 'base64')

/**
 * Serves the viewer of the OpenAPI document at `/docs`. It loads nothing from other hosts. Its package keeps 17 MB in memory,
 * so it is opened at the first request.
 *
 * @param api the scope with the prefix `/api`
 */
export function registerApiDocs(api: FastifyInstance): void {
  let viewer: Promise<FastifyInstance> | undefined
  /** All clients share the bytes: the script has 4 MB. */
  const responses = new Map<string, Promise<PreparedResponse>>()
  async function read(url: string): Promise<PreparedResponse> {
    viewer ??= openViewer()
    const { statusCode, headers, rawPayload } = await (await viewer).inject(url)
    const policy = headers['content-security-policy']
    return prepareResponse({
      status: statusCode,
      headers: {
        'cache-control': 'no-cache',
        'content-type': String(headers['content-type']),
        ...(policy && { 'content-security-policy': policy }),
      },
      body: rawPayload,
    })
  }
  function serve(path: string, url: string): void {
    api.get(path, async (request, reply) => {
      // The page names its script relative to the slash.
      if (url.endsWith('/') && !/^[^?]*\/(\?|$)/.test(request.url)) return reply.redirect(url, 301)
      const response = responses.get(url) ?? read(url)
      responses.set(url, response)
      return sendResponse(request, reply, await response)
    })
  }
  serve('/docs', '/api/docs/')
  serve('/docs/js/scalar.js', '/api/docs/js/scalar.js')
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
