/** With `yields`, a call waits until no other one does. It is not counted in `maxQueued`. */
export type Limiter = <Result>(work: () => Promise<Result>, options?: { yields?: boolean }) => Promise<Result>

interface Limit {
  concurrency: number
  maxQueued: number
  onOverflow: () => Error
}

/**
 * Limits concurrent calls. Up to `maxQueued` further calls wait in a FIFO queue; above that, a call throws the error of
 * `onOverflow`.
 */
export function createLimiter(limit: Limit): Limiter {
  let running = 0
  const queue: (() => void)[] = []
  const yielding: (() => void)[] = []

  return async (work, { yields = false } = {}) => {
    if (running < limit.concurrency) running++
    else if (!yields && queue.length >= limit.maxQueued) throw limit.onOverflow()
    // The call that ends passes its place on, so `running` stays the same.
    else await new Promise<void>((resolve) => (yields ? yielding : queue).push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift() ?? yielding.shift()
      if (next) next()
      else running--
    }
  }
}

/** Limits concurrent calls with the same key, like `createLimiter`. */
export function createKeyedLimiter(limit: Limit) {
  const limiters = new Map<string, { run: Limiter; calls: number }>()

  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const limiter = limiters.get(key) ?? { run: createLimiter(limit), calls: 0 }
    limiters.set(key, limiter)
    limiter.calls++
    try {
      return await limiter.run(work)
    } finally {
      limiter.calls--
      if (limiter.calls === 0) limiters.delete(key)
    }
  }
}
