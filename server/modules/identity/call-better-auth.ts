import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BetterAuth, basePath, clientIpHeader } from './better-auth.ts'
import type { Call } from './calls.ts'

/**
 * Calls better-auth on behalf of a request. The path is that of the call, and only the headers below are forwarded.
 *
 * @param body already validated with the schema of the call
 */
export function callBetterAuth(
  auth: BetterAuth,
  origin: string,
  { method, path }: Call,
  request: FastifyRequest,
  body?: unknown,
): Promise<Response> {
  const url = new URL(`${origin}${basePath}${path}`)
  if (method === 'GET') url.search = new URL(request.url, origin).search
  return auth.handler(
    new Request(url, {
      method,
      headers: {
        cookie: request.headers.cookie ?? '',
        'user-agent': request.headers['user-agent'] ?? '',
        [clientIpHeader]: request.ip,
        ...(method === 'POST' && { origin, 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    }),
  )
}

/** Copies the cookies of a better-auth response, and nothing else. */
export function forwardCookies(response: { headers: Headers }, reply: FastifyReply): void {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
}
