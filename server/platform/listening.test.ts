import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/database.ts'
import { openTcpProxy, type TcpProxy } from '../../tests/tcp-proxy.ts'
import { type Listening, listen } from './listening.ts'

let database: TestDatabase
let proxy: TcpProxy
let listening: Listening
const events: string[] = []

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  events.length = 0
  const { hostname, port } = new URL(database.url)
  proxy = await openTcpProxy({ host: hostname, port: Number(port) })
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  listening = await listen({
    url: url.href,
    channel: 'test',
    onNotice: (payload) => events.push(payload),
    onHeard: () => events.push('heard'),
    onLost: () => events.push('lost'),
    onAway: () => events.at(-1) !== 'away' && events.push('away'),
    report: () => undefined,
  })
})
afterEach(async () => {
  await listening.close()
  await proxy.close()
})

const tell = (payload: string) => sql`select pg_notify('test', ${payload})`.execute(database.db)
/** What has happened, as soon as it is so much. */
const happened = (count: number) =>
  vi.waitUntil(() => events.length >= count && [...events], { timeout: 5_000, interval: 10 })

test('hears what is told from its opening on', async () => {
  await tell('one')
  expect(await happened(2)).toEqual(['heard', 'one'])
})

test('has heard what was told before it caught up, however many ask at once', async () => {
  for (let number = 0; number < 50; number++) {
    await Promise.all([tell(`${number}`), listening.catchUp(), listening.catchUp()])
    await listening.catchUp()
    expect(events.at(-1)).toBe(`${number}`)
  }
  proxy.freeze()
  await Promise.all([listening.catchUp(), listening.catchUp()]) // Until it is noticed.
  await listening.catchUp()
})

test('a connection that is ended comes back by itself, and says that something may have been missed', async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query like 'listen%' or query = 'select 1')`.execute(database.db)
  expect(await happened(3)).toEqual(['heard', 'lost', 'heard'])
  await tell('two')
  expect(await happened(4)).toEqual(['heard', 'lost', 'heard', 'two'])
})

test('a server that is silent is noticed within 1.5 s, and heard again when it speaks', async () => {
  const frozen = performance.now()
  proxy.freeze()
  expect(await happened(3)).toEqual(['heard', 'lost', 'away'])
  expect(performance.now() - frozen).toBeLessThan(1_500)
  proxy.thaw()
  expect(await happened(4)).toEqual(['heard', 'lost', 'away', 'heard'])
})

test('a server that refuses is tried again until it accepts', async () => {
  await proxy.close()
  expect(await happened(3)).toEqual(['heard', 'lost', 'away'])
  await proxy.reopen()
  expect(await happened(4)).toEqual(['heard', 'lost', 'away', 'heard'])
})
