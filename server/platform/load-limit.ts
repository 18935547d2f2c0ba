import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ShopError } from './shop-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route refuses by itself what would wait too long; what it has kept costs nothing. */
    hasOwnLimit?: true
  }
}

export interface LoadLimit {
  /** So many requests may be in progress; every further one is refused until one of them is answered. */
  maxRequests: number
  /** What is let in however many there are: it costs next to nothing, or must not wait. */
  isExempt: (request: FastifyRequest) => boolean
}

/** Refuses early, with UNAVAILABLE, what would only wait behind the others and make them slower. */
export function limitLoad(app: FastifyInstance, { maxRequests, isExempt }: LoadLimit): void {
  let inFlight = 0
  let isRefusing = false

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.hasOwnLimit || isExempt(request)) return done()
    if (inFlight >= maxRequests) {
      if (!isRefusing) request.log.warn({ inFlight }, 'more requests than can be served: refusing some')
      isRefusing = true
      return done(new ShopError('UNAVAILABLE'))
    }
    inFlight++
    // It comes for every answer, also where the caller has gone away.
    reply.raw.once('close', () => {
      inFlight--
      if (inFlight < maxRequests / 2) isRefusing = false
    })
    done()
  })
}
