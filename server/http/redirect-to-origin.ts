import type { FastifyInstance } from 'fastify'

const aliases = /^(127\.0\.0\.1|\[::1\])(:\d+)?$/

/**
 * Leads a browser that came by another name of this machine to the shop's own address: cookies and the check of origins
 * know only that one, so that no one could sign in under the other.
 */
export function redirectToOrigin(app: FastifyInstance, origin: string): void {
  if (new URL(origin).hostname !== 'localhost') return
  app.addHook('onRequest', (request, reply, done) => {
    const isNavigation = request.headers['sec-fetch-mode'] === 'navigate'
    if (isNavigation && aliases.test(request.host)) void reply.redirect(origin + request.url, 307)
    else done()
  })
}
