import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BetterAuth, basePath, clientIpHeader } from './better-auth.ts'
import type { Call } from './calls.ts'

/**
 * Asks better-auth on behalf of a request. The address is the call's own, whatever the request's spelling or Host
 * were; of its headers only those named here go along.
 *
 * @param body as checked by the call's schema
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

/** Hands on the cookies of an answer, and nothing else of it: what it says is for the front door to repeat. */
export function forwardCookies(response: { headers: Headers }, reply: FastifyReply): void {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
}
