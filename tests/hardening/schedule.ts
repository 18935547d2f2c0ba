import { setTimeout as delay } from 'node:timers/promises'
import { type DocumentKind, documentPath } from '../../contract/documents.ts'
import { anAdmin, type TestCustomer } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { isConnectionLost } from './client.ts'
import { inLanes } from './parallel.ts'
import { openShopUnderTest, type Process, type ShopUnderTest } from './shop-under-test.ts'

const sizes: Record<Size, { rounds: number }> = { small: { rounds: 1 }, full: { rounds: 10 } }
const documentsOfRound = 50
/** All documents are scheduled before the first one is due: it takes no longer than to add them. */
const toLead = (addedInMs: number) => 1_000 + 2 * addedInMs
/** The documents become due in this time, one after the other. */
const windowMs = 5_000
const killAfterMs = 1_500
const maxDelayMs = 2_000
const pauseMs = 20
/** Pages that are read at the same time. */
const lanes = 4

interface Due {
  kind: DocumentKind
  path: string
  title: string
  /** In milliseconds since 1970. */
  at: number
  /** Visitors see an earlier version. */
  isUpdate: boolean
}

type Get = (path: string) => Promise<string>

/** Where visitors find documents. */
interface Place {
  name: string
  /** The documents that are read together. */
  toGroups: (documents: Due[]) => Due[][]
  read: (get: Get, group: Due[]) => Promise<string>
  has: (text: string, document: Due) => boolean
}

/**
 * They have the posts of a round, which are the newest ones. They are read in this order, because a new post moves others
 * to the next page.
 */
const listPages = [1, 2, 3]

const places: readonly Place[] = [
  {
    name: 'a page',
    toGroups: (documents) => documents.map((each) => [each]),
    read: (get, group) => get(group[0]?.path ?? '/'),
    has: (text, { title }) => text.includes(title),
  },
  {
    name: 'the list of posts',
    toGroups: (documents) => [documents.filter(({ kind }) => kind === 'post')],
    read: async (get) => {
      let text = ''
      for (const page of listPages) text += await get(`/blogs?page=${page}`)
      return text
    },
    has: (text, { path }) => text.includes(`href="${path}"`),
  },
  {
    name: 'the sitemap',
    toGroups: (documents) => [documents.filter(({ isUpdate }) => !isUpdate)],
    read: (get) => get('/sitemaps/pages.xml'),
    has: (text, { path }) => text.includes(`${path}</loc>`),
  },
]

/**
 * Pages and posts become due at two processes without a job, and one of them is killed: visitors find each document at its
 * time, in its page, in the list of posts and in the sitemap.
 */
export const schedule: Check = {
  name: 'schedule',
  isChosenOnly: true,
  async run(size, print) {
    const { rounds } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2, settings: { ROLE: 'web' } })
    const admin = await anAdmin(shop)
    const faults = new Set<string>()
    let [latestMs, readings] = [0, 0]
    for (let round = 1; round <= rounds; round++) {
      print(`round ${round} of ${rounds}`)
      const watched = await watchRound(shop, await scheduleDocuments(shop, admin, round), faults)
      latestMs = Math.max(latestMs, watched.latestMs)
      readings += watched.readings
    }
    return {
      figures: [
        { what: 'scheduled documents, processes', measured: `${rounds * documentsOfRound}, 2` },
        { what: 'readings of documents', measured: `${readings}` },
        {
          what: 'start of the latest reading without a document, after its time',
          measured: `${Math.round(latestMs)} ms`,
          bound: `${maxDelayMs} ms`,
        },
      ],
      violations: [...faults],
    }
  },
}

/** Schedules new documents, and new versions of published pages. */
async function scheduleDocuments(
  { processes }: ShopUnderTest,
  as: TestCustomer,
  round: number,
): Promise<Due[]> {
  const plan = Array.from({ length: documentsOfRound }, (_, index) => {
    const [slug, kind]: [string, DocumentKind] = [`due-${round}-${index}`, index % 2 === 0 ? 'post' : 'page']
    const process = processes[index % processes.length] ?? processes[0]
    return { slug, kind, title: `Due ${round}-${index}.`, isUpdate: index % 10 === 9, process, index }
  })
  const rest = { summary: 'A summary', category: '', image: '', body: 'A text' }
  const publish = async (process: Process, id: string, etag: string, at?: string) => {
    const sent = { as, params: { id }, headers: { 'if-match': etag }, body: { at } }
    const { status, headers } = await process.call('publishDocument', sent)
    if (status !== 200) throw new Error(`a document was not scheduled: status ${status}`)
    return headers.get('etag') ?? ''
  }
  const beganAt = Date.now()
  const drafts: { id: string; etag: string; step: (typeof plan)[number] }[] = []
  await inLanes(plan, lanes, async (step) => {
    const { slug, kind, title, isUpdate, process } = step
    const text = { title: isUpdate ? 'Earlier' : title, ...rest }
    const { body, headers } = await process.call('addDocument', { as, body: { kind, slug, ...text } })
    let etag = headers.get('etag') ?? ''
    if (isUpdate) {
      const published = await publish(process, body.id, etag)
      const params = { id: body.id }
      const sent = { as, params, headers: { 'if-match': published }, body: { slug, ...text, title } }
      etag = (await process.call('saveDocument', sent)).headers.get('etag') ?? ''
    }
    drafts.push({ id: body.id, etag, step })
  })
  const firstAt = Date.now() + toLead(Date.now() - beganAt)
  const toTime = (index: number) => firstAt + (index * windowMs) / documentsOfRound
  await inLanes(drafts, lanes, async ({ id, etag, step }) => {
    await publish(step.process, id, etag, new Date(toTime(step.index)).toISOString())
  })
  return plan.map(({ kind, slug, title, isUpdate, index }) => ({
    kind,
    path: documentPath({ kind, slug }),
    title,
    isUpdate,
    at: toTime(index),
  }))
}

interface Watched {
  /** From the time of a document to the start of the latest reading that does not have it. */
  latestMs: number
  readings: number
}

async function watchRound(
  { processes: [first, second = first] }: ShopUnderTest,
  documents: Due[],
  faults: Set<string>,
): Promise<Watched> {
  const firstAt = Math.min(...documents.map(({ at }) => at))
  const watched: Watched = { latestMs: 0, readings: 0 }
  let readyAt = 0
  const restart = async () => {
    await delay(firstAt + killAfterMs - Date.now())
    await second.kill()
    await second.start()
    readyAt = Date.now()
  }
  const giveUp = new AbortController()
  const watch = (process: Process) =>
    Promise.all(
      places.map((place) => {
        const note = (document: Due, beganAt: number, endedAt: number, isShown: boolean) => {
          watched.readings += 1
          if (isShown && endedAt < document.at) {
            faults.add(`${place.name} showed a document ${document.at - endedAt} ms early`)
          }
          if (!isShown && beganAt > document.at + maxDelayMs) {
            faults.add(`${place.name} did not show a document ${beganAt - document.at} ms after its time`)
          }
          if (!isShown) watched.latestMs = Math.max(watched.latestMs, beganAt - document.at)
        }
        return watchPlace({ process, mayBreak: process === second }, place, documents, note, giveUp.signal)
      }),
    )
  const watching = Promise.all([first, second].map(watch))
  const lastAt = Math.max(...documents.map(({ at }) => at))
  const watchToEnd = async () => {
    await restart()
    await delay(Math.max(0, Math.max(lastAt, readyAt) + maxDelayMs + 2 * pauseMs - Date.now()))
  }
  await watchToEnd().finally(() => giveUp.abort())
  await watching
  for (const process of [first, second]) await requireAll(process, documents, faults)
  return watched
}

type Note = (document: Due, beganAt: number, endedAt: number, isShown: boolean) => void

/** Reads a place again and again, until it has shown all documents. */
async function watchPlace(
  { process, mayBreak }: { process: Process; mayBreak: boolean },
  place: Place,
  documents: Due[],
  note: Note,
  signal: AbortSignal,
): Promise<void> {
  const found = new Set<Due>()
  while (!signal.aborted) {
    const groups = place
      .toGroups(documents.filter((each) => !found.has(each)))
      .filter(({ length }) => length > 0)
    if (groups.length === 0) return
    await inLanes(groups, lanes, async (group) => {
      const beganAt = Date.now()
      const text = await place.read(toGet(process), group).catch((error: unknown) => {
        if (mayBreak && isConnectionLost(error)) return null
        throw error
      })
      const endedAt = Date.now()
      if (text === null) return
      for (const document of group) {
        const isShown = place.has(text, document)
        note(document, beganAt, endedAt, isShown)
        if (isShown) found.add(document)
      }
    })
    await delay(pauseMs)
  }
}

/** Reads all places once more, when all documents are due. */
async function requireAll(process: Process, documents: Due[], faults: Set<string>): Promise<void> {
  for (const place of places) {
    for (const group of place.toGroups(documents)) {
      const text = await place.read(toGet(process), group)
      const missing = group.filter((document) => !place.has(text, document)).length
      if (missing > 0) faults.add(`at the end, ${place.name} lacked ${missing} documents`)
    }
  }
}

const toGet =
  ({ origin }: Process): Get =>
  async (path) =>
    (await fetch(origin + path)).text()
