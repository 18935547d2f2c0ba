import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { newId } from './database/database.ts'
import { ShopError, toReason } from './errors.ts'
import { createCounter, createHistogram } from './telemetry/metrics.ts'
import { addToSpan, withOutcomeSpan } from './telemetry/tracing.ts'

/** Background work that repeats. */
export interface Job {
  /** Unique; written to the log and to the table `jobs`. */
  name: string
  intervalMs: number
  /**
   * Does one batch. Returns the milliseconds until the next one, or nothing for the interval; 0 if more is due.
   *
   * @param signal aborts when the run has to end: start nothing new and leave the rest to the next run
   */
  run(signal: AbortSignal): Promise<number | void>
}

export interface RunningJob {
  /** Runs the job immediately, or once more after the current run. Affects this process only. */
  wake(): void
  /** Waits for the current run. Aborts it after 1 second, and stops waiting after 2. */
  stop(): Promise<void>
}

interface JobLog {
  error(details: object, message: string): void
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/**
 * Less than a minute, in which another process continues the work of a killed one. A run is aborted after half of this
 * time, so that it has ended before another process starts the job.
 */
const leaseMs = 50_000
/** Claim of a single refund. As long as a run: when the lease of a killed process ends, the next run can claim its refund too. */
export const itemLeaseMs = leaseMs / 2
/** Claim of an item that a job handles once a minute, even if its runs follow each other without a wait. */
export const minutelyLeaseMs = minuteMs - 5_000
/** Wait after the first failure; it doubles with each further one in a row. */
const firstRetryMs = minuteMs
const maxRetryMs = 10 * minuteMs
const maxItemsPerRun = 100
const stopGraceMs = 1_000
const stopTimeoutMs = 2_000

const runs = createCounter({
  name: 'shop_job_runs_total',
  help: 'Runs of background jobs. A failed run is repeated after a minute, and after more failures in a row less often.',
  labelNames: ['job_name', 'outcome'],
})
const durations = createHistogram({
  name: 'shop_job_duration_seconds',
  help: 'Duration of the runs of background jobs.',
  labelNames: ['job_name'],
})

const measureRun = (job: Job, signal: AbortSignal): Promise<number | void> =>
  withOutcomeSpan('job', `job ${job.name}`, async () => {
    const stopTimer = durations.startTimer({ job_name: job.name })
    let outcome = 'failure'
    try {
      const waitMs = await job.run(signal)
      outcome = 'success'
      return waitMs
    } finally {
      stopTimer()
      runs.inc({ job_name: job.name, outcome })
    }
  })

/**
 * Runs a job in this process: now, after each interval and when woken. A run that fails is logged and repeated.
 * Jobs that claim single rows may run in several processes at the same time; for all others see `startJobs`.
 */
export const startJob = (job: Job, log: JobLog): RunningJob =>
  repeatJob({ ...job, run: (signal) => measureRun(job, signal) }, log)

function repeatJob(job: Job, log: JobLog): RunningJob {
  const stopping = new AbortController()
  const aborting = new AbortController()
  let woken = new AbortController()

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const waitMs = await job.run(aborting.signal).catch((error: unknown) => {
        if (!aborting.signal.aborted) log.error({ err: error, job: job.name }, 'job failed, retrying')
        return firstRetryMs
      })
      const sleep = delay(Math.min(waitMs ?? job.intervalMs, job.intervalMs), undefined, {
        ref: false,
        signal: woken.signal,
      })
      await sleep.catch(() => undefined) // woken
    }
  }

  const repeating = repeat()
  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort()
      woken.abort()
      setTimeout(() => aborting.abort(), stopGraceMs).unref()
      await Promise.race([repeating, delay(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Runs jobs that all processes on this database share: each in one process at a time, once per interval. */
export function startJobs(
  db: Kysely<Database>,
  jobs: Job[],
  log: JobLog,
  options: { leaseMs?: number } = {},
): Pick<RunningJob, 'stop'> {
  const running = jobs.map((job) => repeatJob(withClaim(db, job, options.leaseMs ?? leaseMs), log))
  return {
    async stop() {
      await Promise.all(running.map(({ stop }) => stop()))
    },
  }
}

/** Runs the job if it is due and no other process runs it. After a crash, another process repeats the run when the lease ends. */
function withClaim(db: Kysely<Database>, job: Job, leaseMs: number): Job {
  return {
    ...job,
    async run(signal) {
      const runId = newId()
      if (!(await claim(db, job.name, runId, leaseMs))) return msUntilDue(db, job.name)
      let waitMs = Math.min(firstRetryMs, job.intervalMs)
      let failure: string | null = null
      try {
        const ended = AbortSignal.any([signal, AbortSignal.timeout(leaseMs / 2)])
        waitMs = (await measureRun(job, ended)) ?? job.intervalMs
        return waitMs
      } catch (error) {
        if (!signal.aborted) failure = toReason(error)
        throw error
      } finally {
        // If this process stops, another one continues immediately.
        await release(db, runId, signal.aborted ? 0 : waitMs, failure)
      }
    },
  }
}

const fromNow = (ms: number) => sql`now() + ${ms}::float8 * interval '1 millisecond'`

/**
 * Returns which of these jobs are due or have failed, with the seconds since they are due and the failures in a row. The
 * table may have jobs of other versions, which nothing runs.
 */
export async function listOpenJobs(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<{ name: string; seconds: number; failures: number }[]> {
  const { rows } = await sql<{ name: string; seconds: number; failures: number }>`
    select name, greatest(0, extract(epoch from now() - due_at))::float8 as seconds, failures
    from jobs where name = any(${names}) and (due_at <= now() or failures > 0)`.execute(db)
  return rows
}

async function claim(db: Kysely<Database>, name: string, runId: string, leaseMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into jobs as job (name, due_at, run_id) values (${name}, ${fromNow(leaseMs)}, ${runId})
    on conflict (name) do update set due_at = excluded.due_at, run_id = excluded.run_id where job.due_at <= now()
    returning name`.execute(db)
  return rows.length === 1
}

async function msUntilDue(db: Kysely<Database>, name: string): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select greatest(0, ceil(extract(epoch from due_at - now()) * 1000))::float8 as wait
    from jobs where name = ${name}`.execute(db)
  return rows[0]?.wait ?? 0
}

/**
 * Does nothing if the run has lost its lease.
 *
 * @param waitMs until the next run; doubled for each failure in a row before this one
 * @param failure null if the run has not failed
 */
async function release(
  db: Kysely<Database>,
  runId: string,
  waitMs: number,
  failure: string | null,
): Promise<void> {
  await sql`
    update jobs set failure = ${failure},
      due_at = case when ${failure}::text is null then ${fromNow(waitMs)}
        else least(now() + ${waitMs}::float8 * 2 ^ least(failures, 20) * interval '1 millisecond', ${fromNow(maxRetryMs)}) end,
      failures = case when ${failure}::text is null then 0 else failures + 1 end
    where run_id = ${runId}`.execute(db)
}

/**
 * Claims items one after the other and handles them, until none is left. An item that fails is logged and waits until
 * it can be claimed again, so that it does not delay the others.
 *
 * @param handle of an item with an id, the only part that is logged
 * @returns 0 if items may be left: the next run then starts immediately
 */
export async function handleClaimed<Item extends { id: string }>(
  { log, failure, signal }: { log: JobLog; failure: string; signal: AbortSignal | undefined },
  claim: () => Promise<Item | undefined>,
  handle: (item: Item) => Promise<void>,
): Promise<number | void> {
  for (let count = 0; count < maxItemsPerRun; count++) {
    if (signal?.aborted) return 0
    addToSpan('shop.items', count)
    const item = await claim()
    if (!item) return
    try {
      await handle(item)
    } catch (error) {
      log.error({ err: error, item: item.id }, failure)
      // The service is unavailable, so all other items would fail.
      if (error instanceof ShopError && error.statusCode === 503) return
    }
  }
  return 0
}

/** Tracks work that continues after the response of the request that started it. */
export class BackgroundWork {
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  add(work: Promise<unknown>): void {
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }

  /** Aborts the work, and waits for it for 2 seconds at most: a commit may wait for a standby without a limit. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.race([Promise.allSettled(this.#running), delay(stopTimeoutMs, undefined, { ref: false })])
  }
}
