/** With `yields`, a call waits until no other one does. It is not counted in `maxQueued`. */
export type Limiter = <Result>(work: () => Promise<Result>, options?: { yields?: boolean }) => Promise<Result>

/**
 * Limits concurrent calls. Up to `maxQueued` further calls wait in a FIFO queue; above that, a call throws the error of
 * `onOverflow`.
 */
export function createLimiter(limit: {
  concurrency: number
  maxQueued: number
  onOverflow: () => Error
}): Limiter {
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
