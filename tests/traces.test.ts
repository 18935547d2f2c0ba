import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import project from '../package.json' with { type: 'json' }
import { startJob } from '../server/platform/jobs.ts'
import { nameStatement } from '../server/platform/telemetry/tracing.ts'
import { openTestDatabase } from './database.ts'
import { aCustomer, anOrder, aProduct } from './factories.ts'
import { listen, stop } from './listen.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { openShopProcesses } from './shop-process.ts'
import { openTraceReceiver, type ReceivedSpan, type TraceReceiver } from './trace-receiver.ts'

const receiver: TraceReceiver = await openTraceReceiver()
for (const [name, value] of Object.entries(receiver.settings)) vi.stubEnv(name, value)

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

let shop: TestShop
let direct: TestShop
let log = ''

/** The headers of the requests that the payment provider has received. */
const providerHeaders: NodeJS.Dict<string | string[]>[] = []
/** A payment provider that has every intent. */
const provider = createServer((request, response) => void respond(request, response))

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  providerHeaders.push(request.headers)
  const form = new URLSearchParams(await text(request))
  const intent = {
    id: 'pi_1',
    object: 'payment_intent',
    client_secret: 'pi_1_secret_1',
    status: 'requires_payment_method',
    amount: Number(form.get('amount')),
    amount_received: 0,
    currency: 'usd',
    metadata: { orderId: form.get('metadata[orderId]') },
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(intent))
}

beforeAll(async () => {
  const stripe = {
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecret: 'whsec_1',
    api: { host: '127.0.0.1', port: await listen(provider), protocol: 'http' as const },
  }
  const settings = { tracing: true, stripe, logLevel: 'trace' as const, cacheSeconds: 60 }
  shop = await openTestShop(
    { ...settings, trustedProxies: 1 },
    { write: (line: string) => void (log += line) },
  )
  direct = await openTestShop(settings, { write: () => undefined })
})
afterAll(async () => {
  await direct.close()
  await shop.close()
  await stop(provider)
  await receiver.close()
})

/** Returns the parts of a trace below a span, by name; begin and commit are left out. */
const below = ({ spanId }: ReceivedSpan) =>
  receiver.spans
    .filter((span) => span.parentSpanId === spanId && !/^(begin|commit)$/.test(span.name))
    .map(({ name }) => name)

const headers = (accept = '*/*') => ({ traceparent, accept })

test('a trace links a request with its statements and the call of the payment provider', async () => {
  const rider = await aCustomer(shop)
  const orderId = await anOrder(shop, rider)
  const opened = await shop.call('createPaymentIntent', {
    as: rider,
    headers: headers(),
    body: { orderId, amount: 40 },
  })
  expect(opened.status).toBe(200)

  const request = await receiver.first('POST /api/create-payment-intent')
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', isError: false, others: [] })
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/create-payment-intent',
    'http.response.status_code': 200,
  })
  expect(below(request)).toEqual(
    expect.arrayContaining(['select orders', 'payment createIntent', 'insert payments']),
  )
  const payment = await receiver.first('payment createIntent')
  expect(payment.attributes).toEqual({ 'shop.outcome': 'success' })
  expect(providerHeaders.map(({ traceparent: sent }) => sent)).toEqual([`00-${traceId}-${payment.spanId}-01`])
  const statement = receiver.spans.find(({ name }) => name === 'insert payments')
  expect(statement?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.query.text': expect.stringMatching(/^insert into "payments" .*\$1/),
    'shop.pool': 'write',
  })
})

test('a client that is not a trusted proxy cannot continue a trace', async () => {
  await direct.request('GET', '/api/openapi.json', { headers: headers() })
  const request = await receiver.first('GET /api/openapi.json')
  expect(request.traceId).not.toBe(traceId)
  expect(request.parentSpanId).toBeUndefined()
})

test('a cached call shows the result of the cache, and its statements only if it has any', async () => {
  await aProduct(shop)
  const ask = async () => {
    const known = receiver.spans.length
    await shop.call('listProducts', { query: { pageSize: 5 } })
    const find = () => receiver.spans.slice(known).find(({ name }) => name === 'GET /api/products')
    return vi.waitUntil(find, { timeout: 60_000 })
  }
  const [miss, hit] = [await ask(), await ask()]
  expect([miss.attributes['shop.cache'], hit.attributes['shop.cache']]).toEqual(['miss', 'hit'])
  expect(below(miss)).toContain('select products')
  expect(below(hit)).toEqual([])
  expect(miss.attributes['http.route']).toBe('/api/products')
})

test('a run of a job is a trace with its outcome', async () => {
  const run = vi.fn<() => Promise<undefined>>().mockRejectedValue(new Error('rider@example.com'))
  const job = startJob({ name: 'tests', intervalMs: 60_000, run }, { error: () => undefined })
  const failed = await receiver.first('job tests')
  await job.stop()
  expect(failed).toMatchObject({ isError: true, others: [], attributes: { 'shop.outcome': 'failure' } })
  expect(failed.parentSpanId).toBeUndefined()
})

test('a request for an uploaded picture shows its size', async () => {
  const key = `${'0'.repeat(32)}-320.avif`
  expect((await shop.request('GET', `/pictures/uploaded/${key}`)).status).toBe(404)
  const span = await receiver.first('picture get')
  expect(span.attributes).toEqual({ 'shop.outcome': 'success' })
})

test('log lines of a request contain the id of its trace', async () => {
  const rider = await aCustomer(shop)
  await shop.db.schema.alterTable('customers').renameColumn('photo', 'elsewhere').execute()
  const path = { query: { email: rider.email }, headers: headers() }
  const { status } = await shop.call('getUser', { as: rider, ...path })
  await shop.db.schema.alterTable('customers').renameColumn('elsewhere', 'photo').execute()
  expect(status).toBe(500)
  const line = log.split('\n').find((each) => each.includes('unexpected error')) ?? '{}'
  expect(JSON.parse(line)).toMatchObject({ traceId })
})

test.each([
  ['select * from "products" where "id" = $1', 'select products'],
  ['select * from orders where id = $1 for update', 'select orders'],
  ['with hits as (select id from products) select count(*) from hits', 'select products'],
  ['select extract(epoch from due_at - now()) from jobs', 'select jobs'],
  ['select 1 where $1 is distinct from $2', 'select'],
  ['insert into "identity"."user" ("id") values ($1)', 'insert identity.user'],
  ['insert into jobs (name) values ($1) on conflict (name) do update set due_at = now()', 'insert jobs'],
  ['with taken as (update products set stock = 0) insert into orders select 1', 'update products'],
  ['delete from rate_limits where expires_at < now()', 'delete rate_limits'],
  ['begin', 'begin'],
])('the span of %s is named %s', (statement, name) => {
  expect(nameStatement(statement)).toBe(name)
})

describe('processes', () => {
  /** Makes the SDK look as if it were not installed. */
  const withoutSdk = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (!name.startsWith('@opentelemetry/sdk')) return next(name, context)
      throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' })
    } })`
  const nodeOptions = `--import=data:text/javascript,${encodeURIComponent(withoutSdk)}`

  test('do not load the SDK without the endpoint, and do not start without the SDK', async () => {
    const database = await openTestDatabase()
    const shops = openShopProcesses()
    try {
      const settings = { DATABASE_URL: database.url, DEMO: '0', NODE_OPTIONS: nodeOptions }
      await shops.open(settings)
      const { child } = await shops.start({ ...settings, ...receiver.settings })
      expect(await child.ended).toBe(1)
      const version = project.devDependencies['@opentelemetry/sdk-node']
      expect(child.printed()).toBe(
        `OTEL_EXPORTER_OTLP_ENDPOINT is set, but @opentelemetry/sdk-node is not installed. Run npm install --no-save --save-prod --omit=dev @opentelemetry/sdk-node@${version}, or remove the setting.`,
      )
    } finally {
      await shops.remove()
      await database.close()
    }
  })

  test('send their last spans before they end', async () => {
    const database = await openTestDatabase()
    const shops = openShopProcesses()
    try {
      const slowly = { ...receiver.settings, OTEL_BSP_SCHEDULE_DELAY: '60000' }
      const { origin, child } = await shops.open({ DATABASE_URL: database.url, DEMO: '0', ...slowly })
      await fetch(`${origin}/api/reviews`)
      child.signal('SIGTERM')
      expect(await child.ended).toBe(0)
      expect(receiver.spans.map(({ name }) => name)).toContain('GET /api/reviews')
      expect(receiver.text()).toContain('"the-shop"')
    } finally {
      await shops.remove()
      await database.close()
    }
  })
})
