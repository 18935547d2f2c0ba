import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { handleErrors, sendNotFound } from '../platform/errors.ts'

export type Unready = 'draining' | 'database unavailable' | 'database not migrated'

/**
 * Registers `/healthz` (liveness) and `/readyz` (readiness). Both respond without a query.
 *
 * @param findUnready returns why the process is not ready; null if it is
 * @param showsReason only on the metrics port: visitors need not know it
 */
export function registerHealth(
  app: FastifyInstance,
  findUnready: () => Unready | null,
  { showsReason = false } = {},
): void {
  app.get('/healthz', async (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'alive' }),
  )

  app.get('/readyz', async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    const reason = findUnready()
    if (!reason) return { status: 'ready' }
    return reply.status(503).send({ status: 'not ready', ...(showsReason && { reason }) })
  })
}

/** Creates the server of a worker, which has only the probes. It does not listen yet. */
export function buildProbes(
  loggerInstance: FastifyBaseLogger,
  findUnready: () => Unready | null,
  options?: { showsReason: boolean },
): FastifyInstance {
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  })
  handleErrors(app)
  app.setNotFoundHandler(sendNotFound)
  registerHealth(app, findUnready, options)
  return app
}
