import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { createDatabase } from '../server/platform/database/database.ts'
import { measureStatements } from '../server/platform/database/pool-metrics.ts'
import { isDatabaseUnavailable } from '../server/platform/errors.ts'
import { aCustomer, aProduct, untilDecided } from './factories.ts'
import { freePort } from './free-port.ts'
import { openTestShop, type TestShop } from './shop.ts'

let shop: TestShop
let metricsOrigin: string

beforeAll(async () => {
  const port = await freePort()
  metricsOrigin = `http://127.0.0.1:${port}`
  // A worker would send the email of a test.
  shop = await openTestShop({ role: 'web', metrics: { host: '127.0.0.1', port } })
})
afterAll(() => shop.close())
beforeEach(() => shop.database.empty())

const scrape = async () => (await fetch(`${metricsOrigin}/metrics`)).text()

/** Returns the value of a series as in the text format: `name{label="value"}`; 0 if there is none. */
async function read(series: string): Promise<number> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

test('the metrics port has metrics and probes; the port of the shop has no metrics', async () => {
  const response = await fetch(`${metricsOrigin}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  for (const probe of ['/healthz', '/readyz']) expect((await fetch(metricsOrigin + probe)).status).toBe(200)
  expect((await shop.request('GET', '/metrics')).status).toBe(404)
})

test('a process shows its version, its build and its role', async () => {
  expect(await scrape()).toMatch(
    /^shop_build_info\{version="\d+\.\d+\.\d+",build="[0-9a-f]{12}",role="web"\} 1$/m,
  )
})

test('requests are counted by route pattern, never by path', async () => {
  const ids = [await aProduct(shop), await aProduct(shop)]
  for (const id of ids) await shop.call('getProduct', { params: { id } })
  await shop.request('GET', '/api/product/no-such-product')
  await shop.request('GET', '/no/such/path')
  const series = (status: number) =>
    `http_requests_total{route="/api/product/:id",method="GET",status="${status}"}`
  await vi.waitUntil(async () => (await read('http_requests_in_flight')) === 0, { timeout: 60_000 })
  expect([await read(series(200)), await read(series(404))]).toEqual([2, 1])
  const text = await scrape()
  expect(text).toContain('http_requests_total{route="none",method="GET",status="404"}')
  for (const hidden of [...ids, 'no-such']) expect(text).not.toContain(hidden)
})

test('a request without an end is in flight, and counts as 499 if its client disconnects', async () => {
  const blocker = await shop.database.pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table products')
  const leaving = new AbortController()
  const request = shop.call('getProduct', { params: { id: 'x' }, signal: leaving.signal }).catch(() => null)
  await vi.waitUntil(async () => (await read('http_requests_in_flight')) === 1, { timeout: 60_000 })
  leaving.abort()
  await request
  await vi.waitUntil(async () => (await read('http_requests_in_flight')) === 0, { timeout: 60_000 })
  await blocker.query('rollback')
  blocker.release()
  expect(await read('http_requests_total{route="/api/product/:id",method="GET",status="499"}')).toBe(1)
})

test('orders are counted once, after their commit', async () => {
  const productId = await aProduct(shop, { quantity: 3 })
  const rider = await aCustomer(shop)
  const body = { productId, quantity: 1, amount: 40, customerAddress: '1 Road' }
  const placed = await Promise.all(
    [1, 2, 3, 4, 5].map(() => untilDecided(() => shop.call('confirmPurchase', { as: rider, body }))),
  )
  const [first] = placed.filter(({ status }) => status === 200)
  const repeated = { as: rider, body, headers: { 'idempotency-key': 'the-same-order' } }
  await shop.call('deleteOrder', { as: rider, query: { id: first?.body.insertedId ?? '' } })
  await shop.call('confirmPurchase', repeated)
  await shop.call('confirmPurchase', repeated)
  const { count } = await shop.db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(4)
  expect([
    await read('shop_orders_total{event="placed"}'),
    await read('shop_orders_total{event="cancelled"}'),
  ]).toEqual([4, 1])
})

test('sent emails of a new process count from 0: an increase needs a value before the first one', async () => {
  expect(await scrape()).toContain('shop_emails_total{kind="order-received",outcome="sent"} 0\n')
})

test('no metric has a label that Prometheus adds', async () => {
  expect(await scrape()).not.toMatch(/[{,](job|instance)="/)
})

test('due work is read from the database', async () => {
  await shop.db
    .insertInto('mail_outbox')
    .values({ id: 'x', kind: 'password-changed', email: 'rider@example.com', expires_at: new Date() })
    .execute()
  await shop.database.pool.query(
    `insert into jobs (name, due_at, run_id)
     values ('compact product counts', now() - interval '1 hour', 'x'), ('of another version', now(), 'y')`,
  )
  expect(await read('shop_job_due{job_name="email"}')).toBe(1)
  expect(await read('shop_job_oldest_due_seconds{job_name="compact product counts"}')).toBeGreaterThan(3599)
  expect(await scrape()).not.toContain('of another version')
})

describe('files for operators', () => {
  interface Rule {
    alert: string
    expr: string
    labels: { severity: string }
    annotations: { summary: string; instructions: string }
  }
  const readFile = (name: string) => readFileSync(path.join(import.meta.dirname, '..', name), 'utf8')
  const { groups } = parse(readFile('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap((group) => group.rules)

  test('each alert has a severity and one sentence of instructions', () => {
    expect(rules.length).toBeGreaterThan(10)
    for (const { alert, labels, annotations } of rules) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|warn)$/)])
      expect([alert, annotations.instructions]).toEqual([alert, expect.stringMatching(/^[A-Z].*[^.]\.$/)])
      expect(annotations.instructions.split('. ')).toHaveLength(1)
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  test('each alert has a row in the guide', () => {
    const [, section = ''] = readFile('docs/operations.md').split('\n## Alerts\n')
    const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(rows).toEqual(rules.map(({ alert }) => alert))
  })

  test('a write that fails because the database is read-only is counted for its alert', async () => {
    const own = createDatabase(shop.database.url, { poolSize: 1 })
    measureStatements(own.pool, 'write')
    const write = own.db.transaction().setAccessMode('read only')
    await expect(write.execute((tx) => tx.deleteFrom('reviews').execute())).rejects.toSatisfy(
      isDatabaseUnavailable,
    )
    await own.close()
    const series = 'shop_db_errors_total{sqlstate="25006"}'
    expect(await read(series)).toBe(1)
    expect(rules.find(({ alert }) => alert === 'DatabaseReadOnly')?.expr).toContain(series)
  })

  test('the alert of emails names the log line of each attempt that it counts', () => {
    const lines = readFile('server/modules/mail/service.ts').match(
      /'(could not (send|render)|dropped) [^']+'/g,
    )
    expect(lines).toHaveLength(4)
    const instructions = rules.find(({ alert }) => alert === 'EmailsFail')?.annotations.instructions
    const texts = [...(instructions ?? '').matchAll(/"([^"]+)"/g)].map(([, text = '']) => text)
    expect(lines?.filter((line) => !texts.some((text) => line.startsWith(`'${text}`)))).toEqual([])
  })

  const { panels } = JSON.parse(readFile('deploy/grafana/shop.json')) as {
    panels: { targets: { expr: string }[] }[]
  }
  const expressions = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr)

  test('alerts and dashboard read metrics that other applications may have from the job of the shop only', () => {
    const selectors = expressions.flatMap(
      (expr) => expr.match(/\b(?:http|process|nodejs)_\w+(\{.*?\})?/g) ?? [],
    )
    expect(selectors.length).toBeGreaterThan(10)
    expect(selectors.filter((selector) => !selector.includes('job="shop"'))).toEqual([])
  })

  test('alerts and dashboard name only existing metrics', async () => {
    const named = expressions.flatMap((expr) => expr.match(/\b(?:shop|http|process|nodejs)_\w+/g) ?? [])
    expect(named.length).toBeGreaterThan(40)
    const known = [...(await scrape()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
    const missing = named.filter((name) => !known.includes(name.replace(/_bucket$/, '')))
    expect(missing).toEqual([])
  })

  test('every metric has a panel or an alert', async () => {
    const text = ['deploy/prometheus/alerts.yml', 'deploy/grafana/shop.json'].map(readFile).join('')
    const own = globSync('server/**/*.ts', { cwd: path.join(import.meta.dirname, '..') })
      .flatMap((file) => [...readFile(file).matchAll(/name: '((?:shop|http)_\w+)'/g)])
      .map(([, name = '']) => name)
    expect(own.length).toBeGreaterThan(20)
    expect(own.filter((name) => !text.includes(name))).toEqual([])
  })
})
