import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { openPostgresStore } from '../server/modules/pictures/service.ts'
import { freePort } from '../tests/free-port.ts'
import { inLanes } from '../tests/hardening/parallel.ts'
import { openProcess, type Process } from '../tests/hardening/shop-under-test.ts'
import { openCatalog } from './catalog-under-test.ts'
import { readCpuMs } from './cpu.ts'
import { type LoadRequest, load } from './load.ts'
import { type Measure, notMeasured } from './measure.ts'
import { createPurchase, toPurchaseRequest } from './orders.ts'
import { productQueries } from './queries.ts'
import { writeCapacity } from './table.ts'
import { filterValues } from './uncached.ts'

/** CPU time of one piece of work, in milliseconds. */
export interface Capacity {
  work: string
  process: number
  primary: number
  /** Number of statements, including begin and commit. */
  statements: number
}

const secret = 'the same secret in all processes of the benchmark'
const seconds = 5
const idleSeconds = 20
const buyers = 16
const accounts = 64
const pictureBytes = 100_000
const queryCount = 50_000

/**
 * CPU time of the shop and of Postgres for each piece of work, for the sizing in docs/operations.md. It does not
 * depend on how busy the machine is, so this measurement always writes its table.
 */
export const capacity: Measure = {
  name: 'capacity',
  async run(print) {
    if (process.platform !== 'linux')
      return [notMeasured('CPU time for each piece of work', '–', 'needs /proc')]
    const metricsPort = await freePort()
    // Without the payment sandbox, which a shop in production has no connections for.
    const settings = {
      SHOP_SECRET: secret,
      ROLE: 'web',
      TRUSTED_PROXIES: '1',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }
    const shop = await openCatalog(10_000, print, { ...settings, METRICS_PORT: String(metricsPort) })
    const [web] = shop.processes
    const primaryPid = shop.postgres.pid()
    if (primaryPid === null) throw new Error('Postgres does not run')
    const { kinds, brands } = await filterValues(shop)
    const queries = productQueries(queryCount, 1, kinds, brands)
    const purchases = await Promise.all(Array.from({ length: buyers }, () => createPurchase(shop)))
    const signIns = await signUp(web)
    const picture = await storePicture(shop.db)

    const rows: Capacity[] = []
    const read = () => readState(web, primaryPid, metricsPort)
    const measure = async (work: string, request: (count: number) => LoadRequest, connections = buyers) => {
      print(work)
      const run = () => load({ origin: web.origin, connections, seconds, request })
      await run() // Warms up.
      const before = await read()
      await run()
      const after = await read()
      rows.push({ work, ...divide(before, after, after.requests - before.requests) })
    }
    await measure('page from the cache', () => ({ method: 'GET', path: '/products' }))
    let next = 0
    await measure('list page, rendered', () => ({ method: 'GET', path: `/products?${queries[next++]}` }))
    await measure('order of one line, HTTP to commit', (count) => {
      const purchase = purchases[count % buyers]
      if (!purchase) throw new Error('there are no buyers')
      return toPurchaseRequest(purchase)
    })
    // Hashing is done by two threads, and a queue would not be empty at the end.
    await measure('sign-in with password', (count) => signIns[count % accounts]?.() ?? {}, 2)
    await measure(`uploaded picture of ${pictureBytes / 1000} kB from Postgres`, () => ({
      method: 'GET',
      path: picture,
    }))

    print(`idle for ${idleSeconds} s, without and with a worker`)
    const measureIdle = async (readIdle: () => Promise<State>) => {
      const before = await readIdle()
      await delay(idleSeconds * 1000)
      return divide(before, await readIdle(), idleSeconds)
    }
    const idle = await measureIdle(read)
    const workerPort = await freePort()
    const worker = await openProcess({
      ...settings,
      DATABASE_URL: shop.databaseUrl,
      ROLE: 'worker',
      METRICS_PORT: String(workerPort),
    })
    await delay(5_000) // Its jobs have had their first run.
    const withWorker = await measureIdle(() => readState(worker, primaryPid, workerPort))
    rows.push({ work: 'idle web process, per second', ...idle })
    // The web process is idle at the same time.
    const ofWorker = { ...withWorker, primary: Math.max(0, withWorker.primary - idle.primary) }
    rows.push({ work: 'idle worker, per second', ...ofWorker })
    writeCapacity(rows)
    return []
  },
}

interface State {
  process: number
  primary: number
  statements: number
  requests: number
}

/** Waits until no request is in progress: the load generator breaks off the last ones. */
async function readState({ child }: Process, primaryPid: number, metricsPort: number): Promise<State> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const sum = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce(
        (total, [, value]) => total + Number(value),
        0,
      )
    if (sum('http_requests_in_flight') === 0) {
      return {
        process: readCpuMs(child.pid),
        primary: readCpuMs(primaryPid),
        statements: sum('shop_db_query_duration_seconds_count'),
        requests: sum('http_requests_total'),
      }
    }
    await delay(50)
  }
}

const divide = (before: State, after: State, units: number) => ({
  process: (after.process - before.process) / units,
  primary: (after.primary - before.primary) / units,
  statements: (after.statements - before.statements) / units,
})

/** Limits of sign-ins are per network, so each request comes from another one. */
const randomIp = () => `10.${[...randomBytes(3)].join('.')}`

/** Creates accounts. Returns a request for the sign-in of each. */
async function signUp({ origin }: Process): Promise<(() => LoadRequest)[]> {
  const toRequest = (path: string, body: object): LoadRequest => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', origin, 'x-forwarded-for': randomIp() },
    body: JSON.stringify(body),
  })
  const password = 'a-passw0rd-of-the-benchmark'
  const emails = Array.from({ length: accounts }, (_, index) => `rider-${index}@example.com`)
  await inLanes(emails.values(), 2, async (email) => {
    const { path, ...init } = toRequest('/idp/sign-up/email', { email, password, name: 'Robin Rider' })
    const { status } = await fetch(origin + path, init as RequestInit)
    if (status !== 204) throw new Error(`a sign-up returned ${status}`)
  })
  return emails.map((email) => () => toRequest('/idp/sign-in/email', { email, password }))
}

/** Stores random bytes as a file of an uploaded picture. Returns its path. */
async function storePicture(db: Parameters<typeof openPostgresStore>[0]): Promise<string> {
  const hash = randomBytes(16).toString('hex')
  await openPostgresStore(db).put({ hash, width: 640, format: 'webp' }, randomBytes(pictureBytes))
  return `/pictures/uploaded/${hash}-640.webp`
}
