export type Turnstile = <Result>(work: () => Promise<Result>) => Promise<Result>

export interface TurnstileOptions {
  atOnce: number
  /** How many may wait for their turn. */
  waiting: number
  /** What is thrown where so many wait already. */
  refuse: () => Error
}

/** Lets a few in at once; the others wait their turn, and are refused where too many wait already. */
export function createTurnstile({ atOnce, waiting, refuse }: TurnstileOptions): Turnstile {
  let inside = 0
  const queue: (() => void)[] = []

  async function enter(): Promise<void> {
    if (inside < atOnce) {
      inside++
      return
    }
    if (queue.length >= waiting) throw refuse()
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
