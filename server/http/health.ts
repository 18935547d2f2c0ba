import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { handleErrors, sendNotFound } from '../platform/errors.ts'

/** Registers `/healthz` (liveness) and `/readyz` (readiness). Both respond without a query. */
export function registerHealth(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/healthz', async (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'alive' }),
  )

  app.get('/readyz', async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    return isReady() ? { status: 'ready' } : reply.status(503).send({ status: 'not ready' })
  })
}

/** Creates the server of a worker, which has only the probes. It does not listen yet. */
export function buildProbes(loggerInstance: FastifyBaseLogger, isReady: () => boolean): FastifyInstance {
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  })
  handleErrors(app)
  app.setNotFoundHandler(sendNotFound)
  registerHealth(app, isReady)
  return app
}
