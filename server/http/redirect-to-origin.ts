import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const aliases = /^(127\.0\.0\.1|\[::1\])(:\d+)?$/

/**
 * Returns whether a request is a navigation to a loopback IP instead of `localhost`. Sign-in fails on other hosts, because
 * cookies and the origin check are bound to the shop's origin.
 */
export function findOtherHosts(origin: string): (request: Pick<IncomingMessage, 'headers'>) => boolean {
  if (new URL(origin).hostname !== 'localhost') return () => false
  return ({ headers }) => headers['sec-fetch-mode'] === 'navigate' && aliases.test(headers.host ?? '')
}

/** Redirects these navigations to the origin of the shop. */
export function redirectToOrigin(app: FastifyInstance, origin: string): void {
  const isRedirected = findOtherHosts(origin)
  app.addHook('onRequest', (request, reply, done) => {
    if (isRedirected(request)) void reply.redirect(origin + request.url, 307)
    else done()
  })
}
