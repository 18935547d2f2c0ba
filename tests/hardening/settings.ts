import { anAdmin, type TestCustomer } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { brokenRules } from './invariants.ts'
import {
  findUnexpectedErrors,
  openShopUnderTest,
  type Process,
  type ShopUnderTest,
} from './shop-under-test.ts'

const sizes: Record<Size, { rounds: number }> = { small: { rounds: 5 }, full: { rounds: 50 } }
/** Saves of one version that are sent at the same time. */
const parallel = 40

interface Round {
  succeeded: number
  refused: number
  faults: string[]
}

/**
 * Admins save the settings of the shop at two processes, many of them the same version at the same time, while visitors read
 * the home page: name, title and company line on it are of one version.
 */
export const settings: Check = {
  name: 'settings',
  isChosenOnly: true,
  async run(size, print) {
    const { rounds } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2 })
    const admin = await anAdmin(shop)
    const faults = new Set<string>()
    const saving = new AbortController()
    const watching = shop.processes.map((process) => watch(process, faults, saving.signal))
    print(`${rounds} rounds of ${parallel} saves at two processes`)
    let refused = 0
    const save = async () => {
      for (let version = 0; version < rounds; version++) {
        const round = await saveInParallel(shop, admin, version)
        refused += round.refused
        for (const fault of round.faults) faults.add(fault)
        if (round.succeeded !== 1) faults.add(`${round.succeeded} saves of version ${version} succeeded`)
      }
    }
    await save().finally(() => saving.abort())
    const pages = (await Promise.all(watching)).reduce((sum, count) => sum + count, 0)
    const violations = [...faults, ...findUnexpectedErrors(shop), ...(await brokenRules(shop.db))]
    if (pages === 0) violations.push('no page was read')
    return {
      figures: [
        { what: 'saves, processes', measured: `${rounds * parallel}, 2` },
        { what: 'saves that were refused', measured: `${refused}`, bound: `${rounds * (parallel - 1)}` },
        { what: 'pages read in the meantime', measured: `${pages}` },
      ],
      violations,
    }
  },
}

/** Saves one version many times at the same time, and reads the page as the author does. */
async function saveInParallel(shop: ShopUnderTest, admin: TestCustomer, version: number): Promise<Round> {
  const round: Round = { succeeded: 0, refused: 0, faults: [] }
  let winner = ''
  await Promise.all(
    Array.from({ length: parallel }, async (_, index) => {
      const mark = `${version}-${index}`
      const process = shop.processes[index % shop.processes.length] as Process
      const { status, body } = await process.call('saveShopSettings', {
        as: admin,
        headers: { 'if-match': `"${version}"` },
        body: { name: `Name ${mark}`, tagline: `Line ${mark}`, homeTitle: `Title ${mark}` },
      })
      const code = 'code' in body ? String(body.code) : ''
      if (status === 200) {
        round.succeeded += 1
        winner = mark
      } else if (code === 'SETTINGS_CHANGED') round.refused += 1
      else round.faults.push(`a save was rejected: ${status} ${code}`)
    }),
  )
  for (const { origin } of shop.processes) {
    const page = await readPage(origin, { cookie: 'recent-change=1' })
    if (page.name !== winner) round.faults.push(`the author of ${winner} saw ${page.name}`)
  }
  return round
}

interface ShownPage {
  /** The marks of the three fields; empty if they are not on the page. */
  name: string
  title: string
  line: string
}

async function readPage(origin: string, headers: Record<string, string> = {}): Promise<ShownPage> {
  const text = await (await fetch(`${origin}/`, { headers })).text()
  const [, title = '', name = ''] = /<title>Title ([\d-]+) · Name ([\d-]+)<\/title>/.exec(text) ?? []
  const [, line = ''] = />Line ([\d-]+)<\/p>/.exec(text) ?? []
  return { name, title, line }
}

/** Reads the home page again and again, sometimes past the cache. Returns how often. */
async function watch({ origin }: Process, faults: Set<string>, signal: AbortSignal): Promise<number> {
  let count = 0
  while (!signal.aborted) {
    const { name, title, line } = await readPage(origin, count % 2 === 0 ? { cookie: 'recent-change=1' } : {})
    if (name !== title || name !== line) faults.add('a page mixed two versions of the settings')
    count += 1
  }
  return count
}
