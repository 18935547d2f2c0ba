import { retryDelay } from '../retry.ts'

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
  for (let failures = 0; !signal.aborted; failures++) {
    if (await isReachable()) return failures > 0 && !signal.aborted
    await new Promise((resolve) => setTimeout(resolve, Math.min(retryDelay(failures), maxPauseMs)))
  }
  return false
}
