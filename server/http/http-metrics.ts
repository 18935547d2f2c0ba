import type { FastifyInstance } from 'fastify'
import { createCounter, createHistogram } from '../platform/telemetry/metrics.ts'
import { startRequestSpan } from '../platform/telemetry/tracing.ts'

const requests = createCounter({
  name: 'http_requests_total',
  help: 'Requests by route pattern. Status 499: the connection was closed before the end of the response.',
  labelNames: ['route', 'method', 'status'],
})
const durations = createHistogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the headers of a request to the end of its response.',
  labelNames: ['route', 'method'],
})
let inFlight = 0

export const countRequestsInFlight = (): number => inFlight

/** Usually by the client. The shop closes it if a response fails after its headers. */
const connectionClosed = 499

/**
 * Counts, measures and traces all requests.
 *
 * @param hasProxy whether all requests come from a trusted proxy
 */
export function measureRequests(app: FastifyInstance, hasProxy: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now()
    inFlight++
    const { method } = request
    // Never the path: it would make a series of every product.
    const route = request.routeOptions.url ?? 'none'
    const span = startRequestSpan(method, route, hasProxy ? request.headers : {})
    // 'close' is emitted for every response, even if the client has disconnected.
    reply.raw.once('close', () => {
      inFlight--
      const status = reply.raw.writableFinished ? reply.raw.statusCode : connectionClosed
      requests.inc({ route, method, status })
      durations.observe({ route, method }, (performance.now() - startedAt) / 1000)
      span?.end(status)
    })
    if (span) span.run(done)
    else done()
  })
}
