import type { FastifyInstance } from 'fastify'

/**
 * Closes connections after their current response when the server shuts down. Node closes idle connections only: it
 * would keep the others open for more than a minute.
 */
export function drainOnClose(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (closing) request.raw.socket.end()
    done()
  })
}
