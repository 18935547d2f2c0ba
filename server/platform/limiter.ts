export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

interface LimiterOptions {
  concurrency: number
  /** Maximum number of queued calls. */
  maxQueued: number
  /** Creates the error that a call throws if the queue is full. */
  onOverflow: () => Error
}

/** Limits concurrent calls. Further calls wait in a FIFO queue, or fail if it is full. */
export function createLimiter({ concurrency, maxQueued, onOverflow }: LimiterOptions): Limiter {
  let inside = 0
  const queue: (() => void)[] = []

  async function enter(): Promise<void> {
    if (inside < concurrency) {
      inside++
      return
    }
    if (queue.length >= maxQueued) throw onOverflow()
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  function leave(): void {
    const next = queue.shift()
    if (next) next()
    else inside--
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
