import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Child, startChild } from '../../../tests/child.ts'
import {
  type EmbeddedPostgresFolder,
  makeEmbeddedPostgresFolder,
  query,
} from '../../../tests/embedded-postgres-folder.ts'
import { createDatabase } from '../database/database.ts'
import { findBinaries } from './programs.ts'
import { findServerAccount, isRoot } from './server-folder.ts'

let folder: EmbeddedPostgresFolder
const bystanders: Child[] = []
afterEach(() => Promise.all(bystanders.splice(0).map((child) => child.kill())))

const clusterFolder = () => path.join(folder.dataDir, 'postgres', '18')
const postmasterPid = () =>
  Number(readFileSync(path.join(clusterFolder(), 'postmaster.pid'), 'utf8').split('\n')[0])

/** Runs a script as the server's account. The script prints a process ID. */
async function readPid(script: string): Promise<number> {
  const account = isRoot ? findServerAccount() : undefined
  const child = startChild('/bin/sh', ['-c', script], { account, cwd: '/' })
  bystanders.push(child)
  return Number(await child.line(/^\d+$/))
}

describe('a new database', () => {
  beforeEach(() => {
    folder = makeEmbeddedPostgresFolder()
  })
  afterEach(() => folder.remove())

  test('keeps its data after a restart', async () => {
    const created = await folder.open()
    await query(created.url, 'create table orders as select 1 as id')
    expect([created.how, await created.stop()]).toEqual(['created', 'stopped'])
    const started = await folder.open()
    expect(started.how).toBe('started')
    expect(await query(started.url, 'select id from orders')).toEqual([{ id: 1 }])
  })

  test('is created once by two processes that start at the same time', async () => {
    const starters = await Promise.all([folder.start(), folder.start()])
    expect(starters.map(({ how }) => how).toSorted()).toEqual(['attached', 'created'])
    expect(starters[0].url).toBe(starters[1].url)
  })

  test('each data folder has its own server', async () => {
    const other = makeEmbeddedPostgresFolder()
    try {
      const servers = await Promise.all([folder.open(), other.open()])
      expect(servers.map(({ how }) => how)).toEqual(['created', 'created'])
      expect(servers[0].url).not.toBe(servers[1].url)
    } finally {
      await other.remove()
    }
  })

  test('a start that is killed halfway leaves no incomplete database', async () => {
    const starting = folder.start()
    const serverFolder = path.join(folder.dataDir, 'postgres')
    const isHalfway = () => readdirSync(serverFolder).some((name) => name.startsWith('18.new'))
    await vi.waitUntil(() => existsSync(serverFolder) && isHalfway(), { timeout: 60_000, interval: 1 })
    await folder.kill()
    await expect(starting).rejects.toThrow('ended without')
    expect(existsSync(clusterFolder())).toBe(false)
    const next = await folder.open()
    expect(next.how).toBe('created')
    expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(isHalfway()).toBe(false)
  })
})

/** Shared by these tests, because creating a cluster takes longer than the rest of a test. */
describe('an existing database', () => {
  beforeAll(async () => {
    folder = makeEmbeddedPostgresFolder()
    await folder.open()
    await folder.stop()
  })
  afterEach(() => folder.stop())
  afterAll(() => folder.remove())

  test('flushes every commit to disk, caches more, listens on loopback only, and requires the password', async () => {
    const { url } = await folder.open({ durable: true })
    const settings = await query(
      url,
      "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'listen_addresses') order by 1",
    )
    expect(settings).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'synchronous_commit', setting: 'on' },
    ])
    // More than the 128 MiB of initdb.
    expect(
      await query(url, "select pg_size_bytes(current_setting('shared_buffers')) > 2 ^ 27 as more"),
    ).toEqual([{ more: true }])
    const withoutPassword = new URL(url)
    withoutPassword.password = 'guess'
    await expect(query(withoutPassword.href, 'select 1')).rejects.toThrow('password authentication failed')
  })

  test('gives the shop a role that can access only its own database', async () => {
    const { url } = await folder.open()
    await expect(query(url, "copy (select 1) to program 'true'")).rejects.toThrow('permission denied')
  })

  test('attaches to a running server, which its last user stops', async () => {
    const first = await folder.open()
    const second = await folder.open()
    expect([second.how, second.url]).toEqual(['attached', first.url])
    expect(await first.stop()).toBe('left running')
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await second.stop()).toBe('stopped')
  })

  test('the server of a killed shop is used by the next one, with all acknowledged data', async () => {
    const killed = await folder.start({ durable: true })
    await query(killed.url, 'create table orders as select 1 as id')
    await killed.child.kill()
    const next = await folder.open({ durable: true })
    expect(next.how).toBe('attached')
    expect(await query(next.url, 'select id from orders')).toEqual([{ id: 1 }])
    expect(await next.stop()).toBe('stopped')
  })

  test('starts again after shop and server are killed, with all acknowledged data', async () => {
    const killed = await folder.start({ durable: true })
    await query(killed.url, 'create table payments as select 1 as id')
    // Kill the shop first, because it would restart the server.
    await killed.child.kill()
    process.kill(postmasterPid(), 'SIGKILL')
    const next = await folder.open({ durable: true })
    expect(next.how).toBe('started')
    expect(await query(next.url, 'select id from payments')).toEqual([{ id: 1 }])
  })

  test('a server that is killed while in use restarts on the same port for all its users', async () => {
    const said: string[] = []
    const first = await folder.open({ report: (message) => said.push(message) })
    const second = await folder.open({ report: (message) => said.push(message) })
    process.kill(postmasterPid(), 'SIGKILL')
    const back = 'The embedded Postgres is available again.'
    await expect.poll(() => said.filter((message) => message === back)).toHaveLength(2)
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await first.stop()).toBe('left running')
    expect(await second.stop()).toBe('stopped')
  })

  test("continues after one of the server's processes is killed", async () => {
    const said: string[] = []
    const { url } = await folder.open({ report: (message) => said.push(message) })
    const victim = createDatabase(url, { poolSize: 1 })
    const { rows } = await victim.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(Number(rows[0]?.pid), 'SIGKILL')
    await expect.poll(() => said).toContain('The embedded Postgres is available again.')
    await victim.close()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.each([
    ['of another program', () => readPid('echo $$; exec sleep 600')],
    [
      'of a zombie server',
      (binaries: string) => readPid(`${binaries}/postgres -V >&2 & echo $!; exec sleep 600`),
    ],
    ['of no process', async () => 4_000_000],
  ])('a pid file with the number %s does not prevent the start', async (_, makePid) => {
    const cluster = clusterFolder()
    const server = await folder.open()
    await server.stop()
    const serverFolder = { folder: server.folder, account: isRoot ? findServerAccount() : undefined }
    const pid = await makePid(findBinaries(serverFolder))
    writeFileSync(
      path.join(cluster, 'postmaster.pid'),
      `${pid}\n${cluster}\n0\n5432\n\n127.0.0.1\n0 0\nready\n`,
    )
    expect((await folder.open()).how).toBe('started')
  })

  test('a copy of a data folder in use gets its own server', async () => {
    const original = await folder.open()
    const other = makeEmbeddedPostgresFolder()
    try {
      cpSync(folder.dataDir, other.dataDir, { recursive: true, preserveTimestamps: true })
      const copy = await other.open()
      expect(copy.how).toBe('started')
      expect(copy.url).not.toBe(original.url)
    } finally {
      await other.remove()
    }
  })
})
