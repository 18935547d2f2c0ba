import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryDelay, shouldRetry, withRetry } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

class RejectedError extends Error {
  status: number
  constructor(status: number) {
    super(String(status))
    this.status = status
  }
}

test('delays double from 1 s to at most 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(retryDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test('a read is retried three times and then fails with its last error', async () => {
  const read = vi.fn<() => Promise<string>>(() => Promise.reject(new RejectedError(503)))
  const outcome = withRetry(read).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1000 + 2000 + 4000)
  expect(await outcome).toMatchObject({ status: 503 })
  expect(read).toHaveBeenCalledTimes(4)
})

test('a read that succeeds is not retried', async () => {
  const read = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('no network'))
  read.mockResolvedValue('the products')
  const outcome = withRetry(read)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await outcome).toBe('the products')
  expect(read).toHaveBeenCalledTimes(2)
})

test.each([400, 401, 403, 404, 409])(
  "an error that can't be resolved by a retry (%i) is not retried",
  (status) => {
    expect(shouldRetry(0, new RejectedError(status))).toBe(false)
  },
)

test.each([0, 429, 500, 503])('a temporary error (%i) is retried', (status) => {
  expect(shouldRetry(0, new RejectedError(status))).toBe(true)
})
