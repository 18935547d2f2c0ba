import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/** A slow provider must not delay the shutdown. */
const stopTimeoutMs = 2_000

/** Runs `work` now and then once per interval; never twice at the same time. */
export function startRounds(
  log: FastifyBaseLogger,
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const { signal } = stopped
  let round: Promise<void> | null = null

  const run = () => {
    round ??= work(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'background work failed, retrying')
      })
      .finally(() => {
        round = null
      })
  }
  run()
  const timer = setInterval(run, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await Promise.race([round, delay(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}
