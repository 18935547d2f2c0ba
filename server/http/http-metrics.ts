import type { ServerResponse } from 'node:http'
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

/** Counts and measures a request until its response ends. */
export function measureResponse(
  response: ServerResponse,
  method: string,
  route: string,
  onEnd?: (status: number) => void,
): void {
  const startedAt = performance.now()
  inFlight++
  // 'close' is emitted for every response, even if the client has disconnected.
  response.once('close', () => {
    inFlight--
    const status = response.writableFinished ? response.statusCode : connectionClosed
    requests.inc({ route, method, status })
    durations.observe({ route, method }, (performance.now() - startedAt) / 1000)
    onEnd?.(status)
  })
}

/**
 * Counts, measures and traces all requests.
 *
 * @param hasProxy whether all requests come from a trusted proxy
 */
export function measureRequests(app: FastifyInstance, hasProxy: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method } = request
    // Never the path: it would make a series of every product.
    const route = request.routeOptions.url ?? 'none'
    const span = startRequestSpan(method, route, hasProxy ? request.headers : {})
    measureResponse(reply.raw, method, route, (status) => span?.end(status))
    if (span) span.run(done)
    else done()
  })
}
