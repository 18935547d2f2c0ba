import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ShopError } from './shop-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route limits its own load: cache hits are cheap, and misses have a queue. */
    hasOwnLimit?: true
  }
}

export interface LoadLimit {
  /** Limit of concurrent requests. Further requests fail with UNAVAILABLE. */
  maxRequests: number
  /** Returns whether the request has no limit, because it is cheap or must not fail. */
  isExempt: (request: FastifyRequest) => boolean
}

/** Sheds load: requests above the limit fail early, because they would slow down the others. */
export function limitLoad(app: FastifyInstance, { maxRequests, isExempt }: LoadLimit): void {
  let inFlight = 0
  let isRefusing = false

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.hasOwnLimit || isExempt(request)) return done()
    if (inFlight >= maxRequests) {
      if (!isRefusing) request.log.warn({ inFlight }, 'too many concurrent requests, rejecting some')
      isRefusing = true
      return done(new ShopError('UNAVAILABLE'))
    }
    inFlight++
    // 'close' is emitted for every response, even if the client has disconnected.
    reply.raw.once('close', () => {
      inFlight--
      if (inFlight < maxRequests / 2) isRefusing = false
    })
    done()
  })
}
