import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../db/schema.ts'
import { databaseUrl, openTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { freePort } from '../../../tests/free-port.ts'
import { listen } from '../../../tests/listen.ts'
import { isDatabaseUnavailable } from '../errors.ts'
import {
  createDatabase,
  inTransaction,
  isUniqueViolation,
  newId,
  type OpenDatabase,
  requireDatabase,
} from './database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 })
})
afterAll(() => database.close())

beforeEach(async () => {
  await sql
    .raw('drop table if exists part; create table part (id int primary key, name text unique)')
    .execute(database.db)
})

async function value(expression: string): Promise<unknown> {
  const { rows } = await sql.raw<{ value: unknown }>(`select ${expression} as value`).execute(database.db)
  return rows[0]?.value
}

test('a bigint is read as a number, and a larger one than a safe integer is an error', async () => {
  expect(await value('count(*)')).toBe(1)
  expect(await value("'9007199254740991'::bigint")).toBe(Number.MAX_SAFE_INTEGER)
  await expect(value("'9007199254740993'::bigint")).rejects.toThrow('larger than the largest exact number')
})

test('a date is read as text, in every time zone', async () => {
  expect(await value("date '1990-02-28'")).toBe('1990-02-28')
})

test('the name of a violated unique key is known', async () => {
  const insert = () => sql`insert into part (id, name) values (1, 'chain')`.execute(database.db)
  await insert()
  const error: unknown = await insert().catch((failure: unknown) => failure)
  expect(isUniqueViolation(error, 'part_pkey')).toBe(true)
  expect(isUniqueViolation(error, 'part_name_key')).toBe(false)
  expect(isUniqueViolation(new Error('part_pkey'), 'part_pkey')).toBe(false)
})

test('a statement is prepared once for each connection', async () => {
  for (const name of ['chain', 'lever', 'mirror']) {
    await sql`select ${name}::text`.execute(database.db)
    await sql`select 'chain'`.execute(database.db)
  }
  const { rows } = await sql`
    select generic_plans + custom_plans as runs from pg_prepared_statements
    where statement in ('select $1::text', 'select ''chain''')`.execute(database.db)
  expect(rows).toEqual([{ runs: 3 }, { runs: 3 }])
})

test('a text of several statements runs, although it cannot be prepared', async () => {
  await sql.raw("select 1; insert into part values (1, 'chain')").execute(database.db)
  expect(await value('(select count(*) from part)')).toBe(1)
})

describe('a prepared statement that cannot be used is tried again with another name', () => {
  const text = 'select * from part where id = $1'
  const name = createHash('sha1').update(text).digest('hex').slice(0, 20)
  const read = (db: Kysely<Database>) => db.executeQuery<{ id: number }>(CompiledQuery.raw(text, [1]))
  const run = (statement: string) => sql.raw(statement).execute(own.db)
  let own: OpenDatabase

  beforeEach(async () => {
    own = createDatabase(database.url, { poolSize: 1 })
    await run("insert into part values (1, 'chain')")
  })
  afterEach(() => own.close())

  const causes: [string, () => Promise<unknown>][] = [
    [
      'a migration has changed its table',
      async () => {
        await read(own.db)
        await run('alter table part add column stock int default 0')
      },
    ],
    [
      'the pooler has replaced its session',
      async () => {
        await read(own.db)
        await run('deallocate all')
      },
    ],
    ['another client of the pooler has prepared it', () => run(`prepare "${name}" as ${text}`)],
  ]

  test.each(causes)('%s: outside of a transaction', async (_, cause) => {
    await cause()
    expect((await read(own.db)).rows).toMatchObject([{ id: 1 }])
  })

  test.each(causes)('%s: in a transaction, with all of it', async (_, cause) => {
    await cause()
    let attempts = 0
    const { rows } = await inTransaction(own.db, (tx) => {
      attempts += 1
      return read(tx)
    })
    expect({ rows, attempts }).toMatchObject({ rows: [{ id: 1 }], attempts: 2 })
  })
})

test('after a write on a read-only server, no open connection is used again', async () => {
  const own = createDatabase(database.url, { poolSize: 3 })
  const listPids = async () => {
    const read = () => sql<{ pid: number }>`select pg_backend_pid() as pid from pg_sleep(0.1)`.execute(own.db)
    const results = await Promise.all([read(), read(), read()])
    return new Set(results.flatMap(({ rows }) => rows.map(({ pid }) => pid)))
  }
  const before = await listPids()
  expect(before.size).toBe(3)
  const written = own.db
    .transaction()
    .setAccessMode('read only')
    .execute((tx) => sql`insert into part values (1, 'chain')`.execute(tx))
  await expect(written).rejects.toSatisfy(isDatabaseUnavailable)
  const after = await listPids()
  expect(after.size).toBe(3)
  expect(after.isDisjointFrom(before)).toBe(true)
  await own.close()
})

test('idle connections are discarded once, even if several writes fail together', async () => {
  const own = createDatabase(database.url, { poolSize: 2 })
  await Promise.all([own.pool.query('select 1'), own.pool.query('select 2')])
  own.pool.discardIdle()
  own.pool.discardIdle()
  expect(own.pool.waitingCount).toBe(2)
  await expect.poll(() => own.pool.totalCount).toBe(0)
  await own.close()
})

test('a connection that is lost between two statements of a transaction fails only that transaction', async () => {
  const own = createDatabase(database.url, { poolSize: 1 })
  const connected: PoolClient[] = []
  own.pool.on('connect', (client) => connected.push(client))
  const lost = own.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    const over = new Promise((resolve) => connected[0]?.once('end', resolve))
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
    await over
    await sql`select 1`.execute(tx)
  })
  await expect(lost).rejects.toThrow(/connection|terminat/i)
  expect((await sql`select 1 as one`.execute(own.db)).rows).toEqual([{ one: 1 }])
  await own.close()
})

test('a connection that the server ends during a statement is not used again', async () => {
  const own = createDatabase(database.url, { poolSize: 1 })
  const ended = sql`select pg_terminate_backend(pg_backend_pid())`.execute(own.db)
  const error = await ended.catch((failure: unknown) => failure)
  // At once, before the server has closed the connection.
  expect((await sql`select 1 as one`.execute(own.db)).rows).toEqual([{ one: 1 }])
  expect(error).toMatchObject({ code: '57P01' })
  await own.close()
})

test('while the database is suspended, running queries fail and new ones are rejected immediately', async () => {
  const own = createDatabase(database.url, { poolSize: 2 })
  const endless = () => sql`select pg_sleep(20)`.execute(own.db)
  const transaction = own.db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    await expect(endless()).rejects.toThrow('Connection terminated')
    await sql`select 2`.execute(tx)
  })
  await expect.poll(() => own.pool.totalCount).toBe(2)
  await expect.poll(() => own.pool.countLate(0)).toBe(1)
  own.pool.suspend()
  await expect(transaction).rejects.toThrow('not queryable')
  await expect(endless()).rejects.toThrow('The database is unavailable.')
  await expect(own.pool.query('select 1')).rejects.toThrow('The database is unavailable.')
  own.pool.resume()
  expect((await own.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await own.close()
})

test('a connection that opens while the pool is suspended is closed', async () => {
  const own = createDatabase(database.url, { poolSize: 1 })
  const opening = own.pool.connect()
  own.pool.suspend()
  const client = await opening
  await expect(client.query('select 1')).rejects.toThrow('not queryable')
  client.release()
  own.pool.resume()
  expect((await own.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await own.close()
})

test('a connection has no parameters that a pooler refuses', async () => {
  const server = createServer()
  const port = await listen(server)
  const connected = once(server, 'connection')
  const own = createDatabase(`postgres://shop:hidden@127.0.0.1:${port}/shop`, { poolSize: 1 })
  const failed = sql`select 1`.execute(own.db).catch((error: unknown) => error)
  const [socket] = (await connected) as [Socket]
  // Length and version, then names and values that end with a zero byte.
  const [startup] = (await once(socket, 'data')) as [Buffer]
  const names = startup
    .subarray(8)
    .toString()
    .split('\0')
    .filter((_, index) => index % 2 === 0)
  expect(names.filter(Boolean).toSorted()).toEqual(['client_encoding', 'database', 'user'])
  socket.destroy()
  expect(await failed).toSatisfy(isDatabaseUnavailable)
  await own.close()
  server.close()
})

test('without prepared statements, none has a name', async () => {
  const own = createDatabase(database.url, { poolSize: 1, prepared: false })
  const { rows } = await sql`select statement from pg_prepared_statements where ${'1'} = '1'`.execute(own.db)
  expect(rows).toEqual([])
  await own.close()
})

test.each([
  ['connection refused', async () => `postgres://shop:hidden@127.0.0.1:${await freePort()}/shop`],
  ['unknown host', async () => 'postgres://shop:hidden@nowhere.invalid/shop'],
  ['no database has this name', async () => databaseUrl(database.url, 'nowhere')],
  ['wrong user or password', async () => database.url.replace(/:[^:@]*@/, ':hidden@')],
])('reports that the database is unreachable because of %s, without its password', async (reason, href) => {
  const url = await href()
  const unreachable = createDatabase(url, { poolSize: 1 })
  const message = `^The database \\w+ at [\\w.:]+ can't be reached \\(${reason}\\)\\. Start it, correct DATABASE_URL, or`
  await expect(requireDatabase(unreachable, url)).rejects.toThrow(new RegExp(message))
  await unreachable.close()
})

test('reports an error of the server with its message', async () => {
  const reason = 'no pg_hba.conf entry for host "10.0.0.7", user "shop", database "shop", no encryption'
  const server = createServer((socket) => {
    const fields = Buffer.from(`SFATAL\0C28000\0M${reason}\0\0`)
    const length = Buffer.alloc(4)
    length.writeInt32BE(4 + fields.length)
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])))
  })
  const url = `postgres://shop:hidden@127.0.0.1:${await listen(server)}/shop`
  const unreachable = createDatabase(url, { poolSize: 1 })
  const error = await requireDatabase(unreachable, url).catch((failure: unknown) => failure)
  expect(String(error)).toContain(`can't be reached (${reason}).`)
  await unreachable.close()
  server.close()
})

test('ids are random from their first character', () => {
  const ids = Array.from({ length: 200 }, newId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/)
  // Screens show six characters, so they must differ among 200 consecutive orders.
  expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBeGreaterThanOrEqual(199)
  expect(new Set(ids.map((id) => id.slice(0, 1))).size).toBeGreaterThan(10)
})
