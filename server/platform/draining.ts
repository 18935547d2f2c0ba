import type { FastifyInstance } from 'fastify'

/**
 * Lets a closing server end as soon as its last request is answered. Node closes the connections that are idle when it
 * is told to close; one that was busy then would be kept alive for more than a minute after its answer.
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
