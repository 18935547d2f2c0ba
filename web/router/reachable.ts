const timeoutMs = 5_000
const maxPauseMs = 5_000

/** Returns whether the shop is ready to serve. */
export async function isReachable(): Promise<boolean> {
  try {
    const { status } = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })
    return status < 500
  } catch {
    return false
  }
}

/**
 * Waits until the shop can be reached again.
 *
 * @returns false if it can be reached at the first check, or if `signal` is aborted
 */
export async function waitForRecovery(signal: AbortSignal): Promise<boolean> {
  let failures = 0
  while (!signal.aborted && !(await isReachable())) {
    await pause(Math.min(1_000 * 2 ** failures, maxPauseMs))
    failures++
  }
  return failures > 0 && !signal.aborted
}

/** Waits; ends early when the browser goes online. */
const pause = (durationMs: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, durationMs)
    addEventListener('online', end)
  })
