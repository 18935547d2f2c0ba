import type { FastifyInstance } from 'fastify'

const aliases = /^(127\.0\.0\.1|\[::1\])(:\d+)?$/

/**
 * Redirects navigations from a loopback IP to `localhost`. Sign-in fails on other hosts, because cookies and the origin
 * check are bound to the shop's origin.
 */
export function redirectToOrigin(app: FastifyInstance, origin: string): void {
  if (new URL(origin).hostname !== 'localhost') return
  app.addHook('onRequest', (request, reply, done) => {
    const isNavigation = request.headers['sec-fetch-mode'] === 'navigate'
    if (isNavigation && aliases.test(request.host)) void reply.redirect(origin + request.url, 307)
    else done()
  })
}
