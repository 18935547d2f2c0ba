import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/database.ts'
import { refused } from '../../tests/shop.ts'
import { createDatabase, type OpenDatabase } from './database/database.ts'
import { handleErrors } from './errors.ts'
import { openLog } from './telemetry/log.ts'

let database: TestDatabase
let own: OpenDatabase
let app: FastifyInstance

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 })
  own = createDatabase(database.url, { poolSize: 1 })
})
afterEach(() => app.close())
afterAll(async () => {
  await own.close()
  await database.close()
})

const logged: string[] = []

/** Returns the response to a request whose handler does this. */
async function answerTo(work: () => Promise<unknown>) {
  logged.length = 0
  app = Fastify({ loggerInstance: openLog('warn', { write: (line) => void logged.push(line) }) })
  handleErrors(app)
  app.get('/', work)
  const response = await app.inject('/')
  const { requestId: _requestId, ...body } = response.json()
  return { status: response.statusCode, body, retryAfter: response.headers['retry-after'] }
}

async function endConnection(pid: number | undefined): Promise<void> {
  await sql`select pg_terminate_backend(${pid})`.execute(database.db)
}

const readPid = async (db: OpenDatabase['db']) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

test('a connection lost between two statements of a transaction is 503 with Retry-After', async () => {
  const connected = once(own.pool, 'connect')
  const response = await answerTo(() =>
    own.db.transaction().execute(async (tx) => {
      const pid = await readPid(tx)
      const [client] = await connected
      // The `once` of node:events would reject with the error that precedes 'end'.
      const ended = new Promise((resolve) => client.once('end', resolve))
      await endConnection(pid)
      await ended
      await readPid(tx)
    }),
  )
  expect(response).toEqual({ ...refused('UNAVAILABLE'), retryAfter: '2' })
})

test.each(
  [
    ['08000', '08001', '08003', '08004', '08006', '08P01', '57P01', '57P02', '57P03', '53300', '25006'],
    ['57014', '55P03', '40001', '40P01', '40003', '26000', '42P05'],
  ].flat(),
)('the error %s of Postgres is 503 with Retry-After', async (code) => {
  const raise = sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)
  expect(await answerTo(() => raise.execute(own.db))).toEqual({ ...refused('UNAVAILABLE'), retryAfter: '2' })
})

test.each([
  [
    'of the database',
    () => sql.raw(`do $$ begin raise exception using errcode = '53100'; end $$`).execute(own.db),
  ],
  ['of the shop', () => writeFile('/dev/full', 'text')],
])('a full disk %s is 503, and the log names it without a stack', async (disk, write) => {
  expect(await answerTo(write)).toEqual({ ...refused('UNAVAILABLE'), retryAfter: '2' })
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', msg: `The disk ${disk} is full.` },
  ])
  expect(logged.join('')).not.toContain('stack')
})

test.each(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN'])(
  'a certificate of the database with the error %s is 503, and the log names it',
  async (code) => {
    const failure = Object.assign(new Error('certificate has expired'), { code })
    const response = await answerTo(() => Promise.reject(failure))
    expect(response).toEqual({ ...refused('UNAVAILABLE'), retryAfter: '2' })
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', reason: code, msg: 'The certificate of the database is not accepted.' },
    ])
  },
)

test('an error of Postgres about the request is 500', async () => {
  const unsupported = sql.raw(`do $$ begin raise exception using errcode = '0A000'; end $$`)
  expect(await answerTo(() => unsupported.execute(own.db))).toMatchObject(refused('INTERNAL'))
})

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])('the error %s of the network is 503 with Retry-After', async (code) => {
  const failure = Object.assign(new Error('connect failed'), { code })
  const response = await answerTo(() => Promise.reject(failure))
  expect(response).toEqual({ ...refused('UNAVAILABLE'), retryAfter: '2' })
})

test.each([403, 404])(
  'a path that leaves its folder, for which Fastify returns %d, is 404',
  async (statusCode) => {
    const response = await answerTo(() =>
      Promise.reject(Object.assign(new Error('Forbidden'), { statusCode })),
    )
    expect(response).toMatchObject(refused('NOT_FOUND'))
  },
)
