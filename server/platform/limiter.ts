export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface LimiterOptions {
  concurrency: number
  /** How many may wait for their turn. */
  maxQueued: number
  /** What is thrown where so many wait already. */
  onOverflow: () => Error
}

/** Lets a few in at once; the others wait their turn, and are refused where too many wait already. */
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

  /** Whoever waits longest takes the place. */
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
