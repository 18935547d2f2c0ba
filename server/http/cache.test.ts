import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type CacheSource, openResponseCache } from './cache.ts'
import { prepareResponse } from './send-response.ts'

/** The state of the database. */
let stored: string
let status: number
let isDatabaseDown: boolean
let reads: number
let renderings: number
/** Callbacks that continue the paused reads; null if reads are not paused. */
let waiting: (() => void)[] | null

beforeEach(() => {
  stored = 'first'
  status = 200
  isDatabaseDown = false
  reads = 0
  renderings = 0
  waiting = null
})

const respond = (text: string, code = 200) =>
  prepareResponse({ status: code, headers: {}, body: Buffer.from(text) })

const toSource = (key: string): CacheSource<{ text: string; status: number }> => ({
  async read() {
    reads++
    const data = { text: `${key} ${stored}`, status }
    await new Promise<void>((resolve) => (waiting ? waiting.push(resolve) : resolve()))
    return data
  },
  async render(data) {
    renderings++
    return respond(data.text, data.status)
  },
  unavailable: () => respond('busy', 503),
})

const open = (maxAgeMs: number, maxBytes = 1_000_000) =>
  openResponseCache({ maxAgeMs, maxReadAgeMs: 0, maxBytes, isDatabaseDown: () => isDatabaseDown })
type Cache = ReturnType<typeof open>

async function load(cache: Cache, key = '/', fresh = false): Promise<string> {
  const { response, state } = await cache.load(key, toSource(key), fresh)
  return `${state}: ${response.body.toString()}`
}
const find = (cache: Cache, key = '/') => cache.find(key)?.body.toString()

/** Continues the paused reads. Later reads are not paused. */
function release(): void {
  const reading = waiting ?? []
  waiting = null
  for (const proceed of reading) proceed()
}

/** Stops the clock of the cache until the test advances it. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

const anHour = 3_600_000

test('a response is found until it reaches its maximum age', async () => {
  stopClock()
  const cache = open(100)
  expect(find(cache)).toBeUndefined()
  expect(await load(cache)).toBe('miss: / first')
  stored = 'second'
  vi.advanceTimersByTime(99)
  expect(find(cache)).toBe('/ first')
  vi.advanceTimersByTime(1)
  expect(find(cache)).toBeUndefined()
  expect(await load(cache)).toBe('miss: / second')
  expect(find(cache)).toBe('/ second')
})

test('an old response with the same data is used again without rendering, and is found again', async () => {
  stopClock()
  const cache = open(50)
  await load(cache)
  const first = cache.find('/')
  vi.advanceTimersByTime(50)
  expect(find(cache)).toBeUndefined()
  expect(await load(cache)).toBe('unchanged: / first')
  expect({ reads, renderings }).toEqual({ reads: 2, renderings: 1 })
  expect(cache.find('/')).toBe(first)
})

test('a fresh load reads again, and its result is cached for all', async () => {
  const cache = open(anHour)
  await load(cache)
  stored = 'second'
  expect(find(cache)).toBe('/ first')
  expect(await load(cache, '/', true)).toBe('miss: / second')
  expect(find(cache)).toBe('/ second')
})

test('requests whose data have the same key share one response, which is rendered once', async () => {
  const cache = open(anHour)
  const source = { ...toSource('/'), toKey: () => '/' }
  expect((await cache.load('/?a', source, false)).state).toBe('miss')
  expect((await cache.load('/?b', source, false)).state).toBe('unchanged')
  expect([find(cache, '/'), find(cache, '/?a'), renderings]).toEqual(['/ first', undefined, 1])
})

test('concurrent loads share one read', async () => {
  const cache = open(anHour)
  const responses = await Promise.all(Array.from({ length: 50 }, () => load(cache)))
  expect(new Set(responses)).toEqual(new Set(['miss: / first']))
  expect({ reads, renderings }).toEqual({ reads: 1, renderings: 1 })
})

test('a fresh load does not share a read that began before it', async () => {
  const cache = open(anHour)
  waiting = []
  const early = load(cache)
  await expect.poll(() => waiting?.length).toBe(1)
  stored = 'second'
  const late = load(cache, '/', true)
  await expect.poll(() => waiting?.length).toBe(2)
  release()
  expect(await late).toBe('miss: / second')
  expect(await early).toBe('miss: / first')
})

test('a load does not share a read that began before the maximum age', async () => {
  const cache = open(0)
  waiting = []
  const early = load(cache)
  await expect.poll(() => waiting?.length).toBe(1)
  stored = 'second'
  const late = load(cache)
  await expect.poll(() => waiting?.length).toBe(2)
  release()
  expect(await late).toBe('miss: / second')
  await early
})

test('a client error is not cached and removes the response before it', async () => {
  const cache = open(anHour)
  await load(cache)
  status = 404
  stored = 'gone'
  expect(await load(cache, '/', true)).toBe('miss: / gone')
  expect(find(cache)).toBeUndefined()
})

test('after a rejected load no earlier response is served as stale', async () => {
  const cache = open(anHour)
  await load(cache)
  const refusing = { ...toSource('/'), read: () => Promise.reject(new Error('not found')) }
  await expect(cache.load('/', refusing, true)).rejects.toThrow('not found')
  isDatabaseDown = true
  await expect(cache.load('/', refusing, true)).rejects.toThrow('not found')
})

test("if the data can't be read, the last response is served as stale until it can", async () => {
  const cache = open(0)
  await load(cache)
  status = 503
  stored = 'nothing'
  expect(await load(cache)).toBe('stale: / first')
  status = 200
  stored = 'second'
  expect(await load(cache)).toBe('miss: / second')
})

test('while the database is known to be down, a cached response is served without a read', async () => {
  const cache = open(0)
  await load(cache)
  isDatabaseDown = true
  expect(await load(cache)).toBe('stale: / first')
  expect(await load(cache, '/', true)).toBe('stale: / first')
  expect(reads).toBe(1)
})

test('if too many loads wait, the next one is rejected or gets the last response', async () => {
  const cache = open(0)
  await load(cache, '/cached')
  waiting = []
  const responses = Array.from({ length: 144 }, (_, number) => load(cache, `/${number}`))
  expect(await load(cache, '/one-too-many')).toBe('miss: busy')
  stored = 'second'
  expect(await load(cache, '/cached')).toBe('stale: /cached first')
  release()
  expect(new Set((await Promise.all(responses)).map((text) => text.slice(0, 4)))).toEqual(new Set(['miss']))
  expect(await load(cache, '/one-too-many')).toBe('miss: /one-too-many second')
})

test('all responses together are limited to the maximum size; the least recently used are removed', async () => {
  const cache = open(anHour, 5_000)
  await load(cache, '/a')
  for (const key of ['/b', '/c', '/d', '/e']) {
    await load(cache, key)
    expect(find(cache, '/a')).toBe('/a first')
  }
  expect(find(cache, '/b')).toBeUndefined()
})
