import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Finding } from './check.ts'
import { findViolations } from './consistency.ts'
import { inLanes } from './parallel.ts'
import { type Probe, readUncached, type Watch, watch } from './probes.ts'
import {
  type EmbeddedShopUnderTest,
  openShopUnderTest,
  type ShopUnderTest,
  untilTrue,
} from './shop-under-test.ts'
import { openWorkload, runIteration } from './shopping.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Maximum recovery time after each fault, in milliseconds. A stopped or killed Postgres has to start again. */
const bounds = { frozen: 5_000, stopped: 15_000, killed: 15_000, full: 15_000 }
const buyersAtOnce = 4
/** More than the connection pool of the shop. */
const connections = 40
const maxUnnamedMs = 20_000
const betweenReadsMs = 300

/** May return the time from which the recovery counts, from `performance.now()`. By default it is the end of the fault. */
type Fault = () => Promise<number | void>

/**
 * Freezes, stops and kills Postgres during purchases, and fills its disk. Cached pages must be served; everything
 * else may be 503.
 */
export async function databaseFaults(
  { frozenMs, maxMs }: { frozenMs: number; maxMs: number },
  seed: number,
  print: (progress: string) => void,
): Promise<Finding> {
  const disk = mountSmallDisk()
  const settings: Record<string, string> = disk ? { DATA_DIR: path.join(disk.folder, 'data') } : {}
  const shop = await openShopUnderTest({ settings })
  const workload = await openWorkload(shop, seed, { buyers: 20, products: 10 })
  await fetch(`${shop.processes[0].origin}/reviews`)
  const watched = watch(listProbes(shop), maxMs)
  await watched.untilRecovered(bounds.frozen)

  const state = { isOver: false }
  const buying = inLanes(untilOver(state), buyersAtOnce, (number) => runIteration(workload, number))
  const measureRecovery = (name: string, fault: Fault, within: number) =>
    recovery(watched, name, fault, within, print)
  const failing = async () => ({
    frozen: await measureRecovery('frozen', () => freeze(shop, frozenMs), bounds.frozen),
    stopped: await measureRecovery('stopped', async () => shop.postgres.stop(), bounds.stopped),
    killed: await measureRecovery('killed', () => kill(shop), bounds.killed),
    ...(disk && {
      full: await measureRecovery('without room on its disk', () => fill(disk, shop, frozenMs), bounds.full),
    }),
  })
  // If a fault fails, its error is reported, and the buyers end as well.
  const [recoveryMs] = await Promise.all([failing().finally(() => (state.isOver = true)), buying])
  await watched.end()

  const refused = watched.responses.filter(({ status }) => status === 503)
  return {
    figures: [
      ...Object.entries(recoveryMs).map(([what, ms]) => ({
        what: `Postgres ${what}: recovered after`,
        measured: `${(ms / 1000).toFixed(1)} s`,
        bound: `${bounds[what as keyof typeof bounds] / 1000} s`,
      })),
      ...(disk ? [] : [{ what: 'Postgres full', measured: 'not checked: only root can mount a small disk' }]),
      { what: 'responses 503 in the meantime', measured: `${refused.length}` },
      { what: 'longest wait for one', measured: formatSlowest(refused), bound: `${maxMs} ms` },
      {
        what: 'cached pages: longest response',
        measured: formatSlowest(watched.responses, 'a cached page'),
      },
    ],
    violations: [
      ...(refused.length === 0 ? ['no response was 503: the faults had no effect'] : []),
      ...watched.faults,
      ...(await findViolations(workload)),
      ...(await locksLeft(shop)),
    ],
  }
}

function listProbes({ processes: [{ origin }] }: ShopUnderTest): Probe[] {
  return [
    { name: 'a cached page', ask: () => fetch(`${origin}/reviews`), expected: 200, may503: false },
    // A 404 is never cached, so this page always reads from the database.
    {
      name: 'a page that reads',
      ask: () => fetch(`${origin}/products?page=999`),
      expected: 404,
      may503: true,
    },
    { name: 'a call', ask: () => readUncached(origin), expected: 200, may503: true },
    { name: '/readyz', ask: () => fetch(`${origin}/readyz`), expected: 200, may503: true },
    { name: '/healthz', ask: () => fetch(`${origin}/healthz`), expected: 200, may503: false },
  ]
}

function* untilOver(state: { isOver: boolean }) {
  for (let number = 0; !state.isOver; number++) yield number
}

/** Opens all pool connections first: a frozen server never responds on an open connection. */
async function freeze(
  { postgres, processes: [{ origin }] }: EmbeddedShopUnderTest,
  ms: number,
): Promise<void> {
  const responses = Array.from({ length: connections }, () => readUncached(origin))
  for (const response of await Promise.all(responses)) await response.text()
  postgres.freeze()
  await delay(ms)
  postgres.thaw()
}

/** Writes fail until the log names the full disk, and for this time after it. */
async function fill(disk: SmallDisk, { processes: [shop] }: ShopUnderTest, ms: number): Promise<void> {
  const isNamed = async () => {
    // Again and again: Postgres frees room, for example with a checkpoint.
    disk.fill()
    return shop.printed().includes('The disk of the database is full.')
  }
  try {
    await untilTrue(isNamed, maxUnnamedMs, 'naming the full disk in the log')
    await delay(ms)
  } finally {
    disk.empty()
  }
}

/** Waits for the next server: for a moment, the child processes of a killed one still respond. */
async function kill({ postgres }: EmbeddedShopUnderTest): Promise<number> {
  const killed = postgres.pid()
  const began = performance.now()
  postgres.kill()
  const hasNext = async () => ![killed, null].includes(postgres.pid())
  await untilTrue(hasNext, bounds.killed, 'the start of the next Postgres')
  return began
}

async function recovery(
  watched: Watch,
  name: string,
  fault: Fault,
  withinMs: number,
  print: (progress: string) => void,
): Promise<number> {
  const began = (await fault()) ?? performance.now()
  await watched.untilRecovered(withinMs)
  const took = performance.now() - began
  print(`Postgres was ${name}; recovered after ${Math.round(took)} ms`)
  return took
}

/**
 * Returns one message per idle transaction and waiting lock. It reads them twice, because each transaction is idle between
 * two statements, and reports those that both times have. Call it when no client is active.
 */
export async function locksLeft({ db }: ShopUnderTest): Promise<string[]> {
  const before = new Set((await readLocks(db)).map(({ id }) => id))
  await delay(betweenReadsMs)
  return (await readLocks(db)).filter(({ id }) => before.has(id)).map(({ what }) => what)
}

/** The id has the process and the start of the transaction or of the wait. */
async function readLocks(db: ShopUnderTest['db']): Promise<{ id: string; what: string }[]> {
  const { rows } = await sql<{ id: string; what: string }>`
    select concat_ws(' ', pid, xact_start) as id, 'a transaction was left open: ' || query as what
    from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
    union all
    select concat_ws(' ', pid, waitstart),
      'something waits for a lock on ' || coalesce(relation::regclass::text, locktype)
    from pg_locks where not granted`.execute(db)
  return rows
}

function formatSlowest(responses: readonly { name: string; ms: number }[], name?: string): string {
  const times = responses
    .filter((response) => name === undefined || response.name === name)
    .map(({ ms }) => ms)
  return `${Math.round(Math.max(0, ...times))} ms`
}
