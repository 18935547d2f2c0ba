import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'

const intervalMs = 1_000
const refusedStatuses = new Set([429, 503])
/** Runs a function without the id of a request, which the log would add to lines about many requests. */
const outsideRequests = AsyncLocalStorage.snapshot()

/**
 * Logs refused requests at most once a second, as counts by reason: the code of the error, or the status and the route
 * where another format is sent. A line for each of them would make an attack fill the disk.
 */
export function logRefusedRequests(app: FastifyInstance): void {
  let counts: Record<string, number> = {}

  function write(): void {
    app.log.warn({ counts }, 'requests refused')
    counts = {}
  }

  app.addHook('onResponse', (request, reply, done) => {
    if (refusedStatuses.has(reply.statusCode) && !request.url.startsWith('/readyz')) {
      if (Object.keys(counts).length === 0) outsideRequests(() => setTimeout(write, intervalMs).unref())
      const reason = reply.errorCode ?? `${reply.statusCode} ${request.routeOptions.url ?? 'none'}`
      counts[reason] = (counts[reason] ?? 0) + 1
    }
    done()
  })
}
