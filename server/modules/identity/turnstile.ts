import { Refusal } from './refusals.ts'

export type Turnstile = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Lets a few in at once; the others wait their turn.
 *
 * @returns a function that throws TOO_MANY_REQUESTS where too many wait already
 */
export function createTurnstile({ atOnce, waiting }: { atOnce: number; waiting: number }): Turnstile {
  let inside = 0
  const queue: (() => void)[] = []

  async function enter(): Promise<void> {
    if (inside < atOnce) {
      inside++
      return
    }
    if (queue.length >= waiting) throw new Refusal('TOO_MANY_REQUESTS', { retryAfter: 5 })
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
