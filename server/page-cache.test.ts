import { beforeEach, expect, test } from 'vitest'
import { openPageCache } from './page-cache.ts'
import { readyPage } from './page-reply.ts'
import { Changes, type Shows } from './platform/changes.ts'

let changes: Changes
/** What the database holds, and whether it answers. */
let shown: string
let status: number
let renderings: number
let isAway: boolean
/** Renderings that have read and wait; null: none waits. */
let waiting: (() => void)[] | null

beforeEach(() => {
  changes = new Changes()
  changes.hear()
  shown = 'first'
  status = 200
  renderings = 0
  isAway = false
  waiting = null
})

async function render(address: string, shows: Shows) {
  renderings++
  const text = shown
  await new Promise<void>((resolve) => (waiting ? waiting.push(resolve) : resolve()))
  shows('products') // After the read, as a list names its rows.
  return readyPage({ status, headers: {}, body: Buffer.from(`${address} ${text}`) })
}

const unavailable = readyPage({ status: 503, headers: {}, body: Buffer.from('busy') })
const open = (bytes = 1_000_000) => openPageCache({ changes, isAway: () => isAway, bytes })
type Cache = ReturnType<typeof open>
const textOf = async (cache: Cache, address = '/') => {
  const { page, state } = await cache.answer(address, {
    render: (shows) => render(address, shows),
    unavailable,
  })
  return `${state}: ${page.body.toString()}`
}
const kept = (cache: Cache, address = '/') => cache.find(address)?.body.toString()

function change(text: string): void {
  shown = text
  changes.tell('products')
}

test('a page is kept until something that it shows changes', async () => {
  const cache = open()
  expect(kept(cache)).toBeUndefined()
  expect(await textOf(cache)).toBe('miss: / first')
  changes.tell('reviews')
  expect(kept(cache)).toBe('/ first')
  change('second')
  expect(kept(cache)).toBeUndefined()
  expect(await textOf(cache)).toBe('miss: / second')
  expect(kept(cache)).toBe('/ second')
})

test('many who ask at once share one rendering', async () => {
  const cache = open()
  const answers = await Promise.all(Array.from({ length: 50 }, () => textOf(cache)))
  expect(new Set(answers)).toEqual(new Set(['miss: / first']))
  expect(renderings).toBe(1)
})

test('a change while a page is rendered leaves no old page behind, and whoever asks after it never gets one', async () => {
  const cache = open()
  const reading: (() => void)[] = []
  waiting = reading
  const early = textOf(cache)
  await expect.poll(() => reading.length).toBe(1) // It has read.
  change('second')
  const late = textOf(cache)
  waiting = null
  for (const go of reading) go()
  expect(await late).toBe('miss: / second')
  expect(await early).toContain('/ ')
  expect(kept(cache)).toBe('/ second')
})

test('a page of another status is not kept, and takes the place of one that was', async () => {
  const cache = open()
  await textOf(cache)
  status = 404
  change('gone')
  expect(await textOf(cache)).toBe('miss: / gone')
  expect(kept(cache)).toBeUndefined()
  status = 503
  expect(await textOf(cache)).toBe('miss: / gone')
})

test('what is refused is not told from memory later', async () => {
  const cache = open()
  await textOf(cache)
  changes.miss()
  const refused = { render: () => Promise.reject(new Error('not there')), unavailable }
  await expect(cache.answer('/', refused)).rejects.toThrow('not there')
  isAway = true
  await expect(cache.answer('/', refused)).rejects.toThrow('not there')
})

test('without the database the last page is served, and the next as soon as it is back', async () => {
  const cache = open()
  await textOf(cache)
  changes.miss()
  status = 503
  shown = 'nothing'
  expect(kept(cache)).toBeUndefined()
  expect(await textOf(cache)).toBe('stale: / first')
  status = 200
  changes.hear()
  shown = 'second'
  expect(await textOf(cache)).toBe('miss: / second')
})

test('where the database is known to be away nothing is rendered that is kept', async () => {
  const cache = open()
  await textOf(cache)
  changes.miss()
  isAway = true
  expect(await textOf(cache)).toBe('stale: / first')
  expect(renderings).toBe(1)
})

test('when too many wait to be rendered the next is refused, and what is kept still answers', async () => {
  const cache = open()
  await textOf(cache, '/kept')
  waiting = []
  const answers = Array.from({ length: 144 }, (_, number) => textOf(cache, `/${number}`))
  expect(await textOf(cache, '/one-too-many')).toBe('miss: busy')
  expect(kept(cache, '/kept')).toBe('/kept first')
  change('second')
  expect(await textOf(cache, '/kept')).toBe('stale: /kept first')

  const reading = waiting
  waiting = null
  for (const go of reading) go()
  expect(new Set((await Promise.all(answers)).map((text) => text.slice(0, 4)))).toEqual(new Set(['miss']))
  expect(renderings).toBe(145)
  expect(await textOf(cache, '/one-too-many')).toBe('miss: /one-too-many second')
})

test('all pages together take no more than they may; the ones asked for least recently go', async () => {
  const cache = open(5_000)
  await textOf(cache, '/a')
  for (const page of ['/b', '/c', '/d', '/e']) {
    await textOf(cache, page)
    expect(kept(cache, '/a')).toBe('/a first')
  }
  expect(kept(cache, '/b')).toBeUndefined()
})
