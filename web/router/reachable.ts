const timeoutMs = 5_000
const recheckIntervalMs = 2_000

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
  let hasFailed = false
  while (!signal.aborted && !(await isReachable())) {
    hasFailed = true
    await new Promise((resolve) => setTimeout(resolve, recheckIntervalMs))
  }
  return hasFailed && !signal.aborted
}
