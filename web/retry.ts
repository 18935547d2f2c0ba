/** Failed reads are retried after 1, 2 and 4 s. Writes are never retried automatically. */
const retries = 3
const maxDelayMs = 30_000

/** Milliseconds before the next attempt: 1 s, doubled for each earlier failure, at most 30 s. */
export const retryDelay = (failures: number): number => Math.min(1000 * 2 ** failures, maxDelayMs)

/** Whether to retry a read that failed now, and `failures` times before. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < retries && isTemporary(error)
}

/** Network errors, 429 and 5xx may be temporary; other statuses are final. */
export function isTemporary(error: unknown): boolean {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status !== 'number' || status === 0 || status === 429 || status >= 500
}

/** Runs a read with retries while `canRetry` allows them. Throws the last error. */
export async function withRetry<T>(read: () => Promise<T>, canRetry = async () => true): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await read()
    } catch (error) {
      if (!shouldRetry(failures, error) || !(await canRetry())) throw error
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures)))
    }
  }
}
