export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

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

  return async (work) => {
    if (running < limit.concurrency) running++
    else if (queue.length >= limit.maxQueued) throw limit.onOverflow()
    // The call that ends passes its place on, so `running` stays the same.
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
