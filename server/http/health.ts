import type { FastifyInstance } from 'fastify'

/**
 * Registers `/healthz` (liveness) and `/readyz` (readiness).
 *
 * @param isReady returns whether the database is migrated; rejects if it does not respond
 */
export function registerHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/healthz', async (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'alive' }),
  )

  app.get('/readyz', async (request, reply) => {
    const ready = await isReady().catch((error: unknown) => {
      request.log.warn({ err: error }, 'not ready')
      return false
    })
    reply.header('Cache-Control', 'no-store')
    return ready ? { status: 'ready' } : reply.status(503).send({ status: 'not ready' })
  })
}
