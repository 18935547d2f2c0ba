/** The shop's one rule for reads that fail: again after 1, 2 and 4 s. Writes are never repeated by themselves. */
const retries = 3
const maxDelayMs = 30_000

/** Milliseconds to wait before the repeat after `failures` earlier ones: 1 s, doubling, at most 30 s. */
export const retryDelay = (failures: number): number => Math.min(1000 * 2 ** failures, maxDelayMs)

/** Whether a read that failed for the `failures + 1`th time is tried again. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < retries && mayPass(error)
}

/** A refusal is an answer and stays one; only what may pass by itself is worth another try. */
function mayPass(error: unknown): boolean {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status !== 'number' || status === 0 || status === 429 || status >= 500
}

/** Runs a read under the rule, until it is called off; throws the last failure. */
export async function withRetry<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await read()
    } catch (error) {
      if (signal?.aborted || !shouldRetry(failures, error)) throw error
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures)))
    }
  }
}
