import { setTimeout as delay } from 'node:timers/promises'
import { toReason } from '../startup-error.ts'
import type { UsageLock } from './usage-lock.ts'

const PAUSE = 1_000

export interface Watch {
  /** Stops watching. Returns the current lock, which the caller must release; null if the server is down. */
  end(): Promise<UsageLock | null>
}

/** Restarts the server when the connection is lost, until the watch ends. */
export function watch(
  first: UsageLock,
  report: (message: string) => void,
  bringBack: () => Promise<UsageLock>,
): Watch {
  const ended = new AbortController()
  let current: UsageLock | null = first
  let revival = Promise.resolve()

  async function revive(): Promise<void> {
    report('The embedded Postgres has stopped. Restarting it.')
    while (!ended.signal.aborted) {
      try {
        follow(await bringBack())
        report('The embedded Postgres is available again.')
        return
      } catch (error) {
        report(
          `The embedded Postgres could not be restarted (${error instanceof Error ? error.message : toReason(error)}).`,
        )
        await delay(PAUSE, undefined, { signal: ended.signal }).catch(() => undefined)
      }
    }
  }

  function follow(usageLock: UsageLock): void {
    current = usageLock
    usageLock.once('end', () => {
      current = null
      if (!ended.signal.aborted) revival = revive()
    })
  }

  follow(first)
  return {
    async end() {
      ended.abort()
      await revival
      return current
    },
  }
}
