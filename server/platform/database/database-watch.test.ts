import { chownSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { makeEmbeddedPostgresFolder, query } from '../../../tests/embedded-postgres-folder.ts'
import { openTcpProxy, type TcpProxy } from '../../../tests/proxy.ts'
import { CLUSTER, readPassword, SUPERUSER } from '../embedded-postgres/cluster.ts'
import { watchDatabase } from './database-watch.ts'

let database: TestDatabase
let proxy: TcpProxy
let watch: Awaited<ReturnType<typeof watchDatabase>>
const events: string[] = []
const log = { warn: () => undefined }
let isMigrated: () => Promise<boolean>

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  events.length = 0
  isMigrated = async () => true
  proxy = await openTcpProxy(database.url)
  const url = new URL(proxy.url)
  url.searchParams.set('application_name', 'watch')
  watch = await watchDatabase(url.href, { pools: [recordInto(events)], log, isMigrated: () => isMigrated() })
})
afterEach(async () => {
  await watch.close()
  await proxy.close()
})

/** A pool that only records changes. */
const recordInto = (list: string[]) => ({
  resume: () => void list.push('up'),
  suspend: () => void (list.at(-1) !== 'down' && list.push('down')),
})

/** Returns the events as soon as there are this many. */
const untilEvents = (count: number) =>
  vi.waitUntil(() => events.length >= count && [...events], { timeout: 60_000, interval: 10 })

test('a connection that is closed is replaced, and the database does not count as down', async () => {
  const connections = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = 'watch'`.execute(database.db)
    return rows.map(({ pid }) => pid)
  }
  const [pid] = await connections()
  await sql`select pg_terminate_backend(${pid})`.execute(database.db)
  await vi.waitFor(async () => {
    const [next] = await connections()
    expect(next).toBeDefined()
    expect(next).not.toBe(pid)
  }, 60_000)
  expect(events).toEqual(['up'])
})

test('a server that is silent is soon down, and up when it responds again', async () => {
  const frozenAt = performance.now()
  proxy.freeze()
  expect(await untilEvents(2)).toEqual(['up', 'down'])
  expect(performance.now() - frozenAt).toBeLessThan(5_000)
  proxy.thaw()
  expect(await untilEvents(3)).toEqual(['up', 'down', 'up'])
})

test('a server that refuses connections is down, and up when it accepts them again', async () => {
  await proxy.close()
  expect(await untilEvents(2)).toEqual(['up', 'down'])
  await proxy.reopen()
  expect(await untilEvents(3)).toEqual(['up', 'down', 'up'])
})

test('a standby is down, and up when it is promoted', async () => {
  const folder = makeEmbeddedPostgresFolder()
  const primary = await folder.open()
  await primary.stop()
  const cluster = path.join(primary.folder, CLUSTER)
  const signal = path.join(cluster, 'standby.signal')
  writeFileSync(signal, '')
  chownSync(signal, statSync(cluster).uid, statSync(cluster).gid)
  const standby = await folder.open()
  const changes: string[] = []
  const watching = await watchDatabase(standby.url, {
    pools: [recordInto(changes)],
    log,
    isMigrated: async () => true,
  })
  expect(changes).toEqual(['down'])

  const url = new URL(standby.url)
  Object.assign(url, { username: SUPERUSER, password: readPassword(standby.folder) })
  await query(url.href, 'select pg_promote()')
  await vi.waitUntil(() => changes.length > 1, { timeout: 60_000, interval: 10 })
  expect(changes).toEqual(['down', 'up'])
  await watching.close()
  await folder.remove()
})

test('it is ready while the database responds and is migrated', async () => {
  expect(watch.findUnready()).toBeNull()
  await proxy.close()
  await untilEvents(2)
  expect(watch.findUnready()).not.toBeNull()
  isMigrated = async () => false
  await proxy.reopen()
  await untilEvents(3)
  expect(watch.findUnready()).not.toBeNull()
  isMigrated = async () => true
  await expect.poll(() => watch.findUnready()).toBeNull()
})

test('a database that does not respond to the check of its schema is down', async () => {
  isMigrated = () => Promise.withResolvers<boolean>().promise
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'watch'`.execute(
    database.db,
  )
  expect(await untilEvents(2)).toEqual(['up', 'down'])
})

test.each([
  ['15 s ahead of', 15_000, 1],
  ['15 s behind', -15_000, 1],
  ['5 s ahead of', 5_000, 0],
])('a clock %s the database is logged once if it differs by more than 10 s', async (_, offsetMs, logged) => {
  const getTime = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => getTime() + offsetMs)
  const warnings: string[] = []
  const heartbeats = Promise.withResolvers<void>()
  let count = 0
  const watching = await watchDatabase(database.url, {
    pools: [],
    log: { warn: (message: unknown) => void warnings.push(String(message)) },
    isMigrated: async () => true,
    onHeartbeat: async () => void (++count === 3 && heartbeats.resolve()),
  })
  try {
    await heartbeats.promise
    expect(warnings).toHaveLength(logged)
    for (const warning of warnings) expect(warning).toMatch(/^The clocks .* differ by \d+ s\./)
  } finally {
    vi.restoreAllMocks()
    await watching.close()
  }
})
