import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startChild } from '../../tests/child.ts'
import { openTestDatabase, type TestDatabase } from '../../tests/database.ts'
import {
  BackgroundWork,
  handleClaimed,
  hourMs,
  type Job,
  type RunningJob,
  startJob,
  startJobs,
} from './jobs.ts'

let database: TestDatabase
let started: Pick<RunningJob, 'stop'>[] = []
let logged: object[] = []

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(() => database.empty())
afterEach(async () => {
  await Promise.all(started.map(({ stop }) => stop()))
  started = []
  logged = []
})
afterAll(() => database.close())

const log = { error: (details: object, message: string) => void logged.push({ ...details, message }) }

/** Starts the job like another process. */
function start(run: Job['run'], { intervalMs = hourMs, leaseMs = 60_000 } = {}) {
  const jobs = startJobs(database.db, [{ name: 'work', intervalMs, run }], log, { leaseMs })
  started.push(jobs)
  return jobs
}

function startLocally(run: Job['run'], intervalMs = hourMs) {
  const job = startJob({ name: 'work', intervalMs, run }, log)
  started.push(job)
  return job
}

async function row(): Promise<{ run_id: string; due_at: Date; is_due: boolean }> {
  const { rows } = await database.pool.query('select run_id, due_at, due_at <= now() as is_due from jobs')
  return rows[0]
}

describe('several processes', () => {
  test('run a job once per interval', async () => {
    const run = vi.fn<() => Promise<undefined>>(async () => undefined)
    const processes = Array.from({ length: 4 }, () => start(run))
    // Stopping waits for the first attempt of each process.
    await Promise.all(processes.map(({ stop }) => stop()))
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('never run a job at the same time', async () => {
    let running = 0
    let maxRunning = 0
    const run = vi.fn<() => Promise<void>>(async () => {
      maxRunning = Math.max(maxRunning, ++running)
      await database.pool.query('select 1')
      running--
    })
    for (let count = 0; count < 4; count++) start(run, { intervalMs: 1 })
    await vi.waitUntil(() => run.mock.calls.length >= 40, { timeout: 60_000 })
    expect(maxRunning).toBe(1)
  })

  test('replace a killed process after its lease, not before', async () => {
    const leaseMs = 1_000
    const script = new URL('../../tests/jobs-process.ts', import.meta.url).pathname
    const child = startChild(process.execPath, [script, database.url, String(leaseMs)])
    await child.line(/running/)
    const wasDue = vi.fn<(isDue: boolean) => void>()
    const { rows } = await database.pool.query('select due_at from jobs')
    start(
      async () => {
        const now = await database.pool.query('select now() >= $1 as is_over', [rows[0].due_at])
        wasDue(now.rows[0].is_over)
      },
      { leaseMs },
    )
    await child.kill()
    await vi.waitUntil(() => wasDue.mock.calls.length > 0, { timeout: 60_000 })
    expect(wasDue.mock.calls).toEqual([[true]])
  })
})

test('a run that exceeds its lease is aborted, and does not end the lease of the next one', async () => {
  const ending = Promise.withResolvers<void>()
  let signal: AbortSignal | undefined
  const slow = start(
    (given) => {
      signal = given
      return ending.promise
    },
    { leaseMs: 2_000 },
  )
  await vi.waitUntil(() => signal, { timeout: 60_000 })
  const next = vi.fn<() => Promise<void>>(() => Promise.withResolvers<void>().promise)
  start(next)
  await vi.waitUntil(() => next.mock.calls.length > 0, { timeout: 60_000 })
  expect(signal?.aborted).toBe(true)
  const lease = await row()
  ending.resolve()
  await slow.stop()
  expect(await row()).toEqual(lease)
  expect(lease.is_due).toBe(false)
})

test('a job that throws is logged and runs again', async () => {
  const failure = new Error('no response')
  const run = vi.fn<() => Promise<undefined>>(async () => undefined).mockRejectedValueOnce(failure)
  start(run, { intervalMs: 10 })
  await vi.waitUntil(() => run.mock.calls.length >= 2, { timeout: 60_000 })
  expect(logged).toEqual([{ err: failure, job: 'work', message: 'job failed, retrying' }])
})

test('the failures of a job are counted until it succeeds', async () => {
  const run = vi.fn<() => Promise<undefined>>(async () => undefined)
  const fail = () => Promise.reject(new Error('no response'))
  const second = Promise.withResolvers<undefined>()
  run.mockImplementationOnce(fail).mockImplementationOnce(fail).mockReturnValueOnce(second.promise)
  start(run, { intervalMs: 10 })
  const failures = async () =>
    (await database.pool.query('select failures, failure from jobs where failures > 0')).rows
  await vi.waitUntil(() => run.mock.calls.length >= 3, { timeout: 60_000 })
  expect(await failures()).toEqual([{ failures: 2, failure: 'no response' }])
  second.resolve(undefined)
  await expect.poll(failures).toEqual([])
})

test.each([
  [0, 60],
  [1, 120],
  [3, 480],
  [4, 600],
  [1_000, 600],
])('after %i failures in a row, the next one delays a job by %i seconds', async (failures, wait) => {
  await database.pool.query(
    `insert into jobs (name, due_at, run_id, failures) values ('work', now(), 'x', $1)`,
    [failures],
  )
  start(() => Promise.reject(new Error('no response')))
  const failed = await vi.waitUntil(
    async () => {
      const { rows } = await database.pool.query(
        `select extract(epoch from due_at - now())::float8 as seconds from jobs where failures > $1`,
        [failures],
      )
      return rows[0]
    },
    { timeout: 60_000 },
  )
  // The reading transaction may have begun some milliseconds before the run failed, which it sees.
  expect(Math.round(failed.seconds)).toBeLessThanOrEqual(wait)
  expect(failed.seconds).toBeGreaterThan(wait - 30)
})

describe('a job that claims items', () => {
  const handle = (count: number, signal?: AbortSignal) => {
    const items = Array.from({ length: count }, (_, index) => ({ id: `r${index}`, reason: 'A broken wrist' }))
    const failing = async () => {
      throw new Error('rejected')
    }
    return handleClaimed({ log, failure: 'failed', signal }, async () => items.pop(), failing)
  }

  test('runs again immediately if items may be left', async () => {
    expect(await handle(99)).toBeUndefined()
    expect(await handle(100)).toBe(0)
    expect(await handle(1, AbortSignal.abort())).toBe(0)
  })

  test('logs the id of a failed item, and no other part', async () => {
    await handle(1)
    expect(logged).toEqual([{ err: new Error('rejected'), item: 'r0', message: 'failed' }])
  })
})

describe('a wake-up', () => {
  test('runs a job before its interval is over', async () => {
    const run = vi.fn<() => Promise<undefined>>(async () => undefined)
    const job = startLocally(run)
    await vi.waitUntil(() => run.mock.calls.length === 1, { timeout: 60_000 })
    job.wake()
    await expect.poll(() => run).toHaveBeenCalledTimes(2)
  })

  test('during a run is not lost', async () => {
    const first = Promise.withResolvers<undefined>()
    const run = vi.fn<() => Promise<undefined>>(async () => undefined).mockReturnValueOnce(first.promise)
    startLocally(run).wake()
    first.resolve(undefined)
    await expect.poll(() => run).toHaveBeenCalledTimes(2)
  })
})

describe('stopping', () => {
  test('waits for the current run and starts no other', async () => {
    const first = Promise.withResolvers<number>()
    const run = vi.fn<() => Promise<number>>(() => first.promise)
    const job = startLocally(run)
    const stopped = job.stop()
    first.resolve(0)
    await stopped
    job.wake()
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('aborts a long run, which another process continues immediately', async () => {
    const begun = Promise.withResolvers<void>()
    const job = start(async (signal) => {
      begun.resolve()
      await once(signal, 'abort')
    })
    await begun.promise
    await job.stop()
    expect((await row()).is_due).toBe(true)
    const next = vi.fn<() => Promise<undefined>>(async () => undefined)
    start(next)
    await vi.waitUntil(() => next.mock.calls.length === 1, { timeout: 60_000 })
  })

  test('does not wait for a run that ignores the signal', async () => {
    const job = startLocally(() => Promise.withResolvers<void>().promise)
    const began = performance.now()
    await job.stop()
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('does not wait for background work that ignores the signal', async () => {
    const work = new BackgroundWork()
    work.add(Promise.withResolvers<void>().promise)
    const began = performance.now()
    await work.stop()
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
