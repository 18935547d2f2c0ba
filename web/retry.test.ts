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

test('the waits double from 1 s and never pass 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(retryDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test('a read is tried again three times, and then fails with its last failure', async () => {
  const read = vi.fn<() => Promise<string>>(() => Promise.reject(new RejectedError(503)))
  const outcome = withRetry(read).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1000 + 2000 + 4000)
  expect(await outcome).toMatchObject({ status: 503 })
  expect(read).toHaveBeenCalledTimes(4)
})

test('a read that succeeds on the way is not tried any more', async () => {
  const read = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('no network'))
  read.mockResolvedValue('the products')
  const outcome = withRetry(read)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await outcome).toBe('the products')
  expect(read).toHaveBeenCalledTimes(2)
})

test.each([400, 401, 403, 404, 409])('a refusal (%i) is an answer and is not asked for again', (status) => {
  expect(shouldRetry(0, new RejectedError(status))).toBe(false)
})

test.each([0, 429, 500, 503])('a failure (%i) that may pass is', (status) => {
  expect(shouldRetry(0, new RejectedError(status))).toBe(true)
})
