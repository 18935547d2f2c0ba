import { anAdmin, type TestCustomer } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { openShopUnderTest, type Process, type ShopUnderTest } from './shop-under-test.ts'

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
 * the home page: name, title and company line on it are of one version, and so are its own title and button.
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
        if (round.succeeded !== 2)
          faults.add(`${round.succeeded} saves of version ${version} of two groups succeeded`)
      }
    }
    await save().finally(() => saving.abort())
    const pages = (await Promise.all(watching)).reduce((sum, count) => sum + count, 0)
    const violations = [...faults]
    if (pages === 0) violations.push('no page was read')
    return {
      figures: [
        { what: 'saves, processes', measured: `${2 * rounds * parallel}, 2` },
        { what: 'saves that were refused', measured: `${refused}`, bound: `${2 * rounds * (parallel - 1)}` },
        { what: 'pages read in the meantime', measured: `${pages}` },
      ],
      violations,
    }
  },
}

/** Saves one version of two groups many times at the same time, and reads the page as the author does. */
async function saveInParallel(shop: ShopUnderTest, admin: TestCustomer, version: number): Promise<Round> {
  const round: Round = { succeeded: 0, refused: 0, faults: [] }
  const winners = { shop: '', home: '' }
  const sent = { as: admin, headers: { 'if-match': `"${version}"` } }
  const note = (
    group: keyof typeof winners,
    mark: string,
    { status, body }: { status: number; body: object },
  ) => {
    const code = 'code' in body ? String(body.code) : ''
    if (status === 200) {
      round.succeeded += 1
      winners[group] = mark
    } else if (code === 'SETTINGS_CHANGED') round.refused += 1
    else round.faults.push(`a save was rejected: ${status} ${code}`)
  }
  await Promise.all(
    Array.from({ length: parallel }, async (_, index) => {
      const mark = `${version}-${index}`
      const process = shop.processes[index % shop.processes.length] as Process
      const names = { name: `Name ${mark}`, tagline: `Line ${mark}`, homeTitle: `Title ${mark}` }
      const texts = { lines: [`Hero ${mark}`], button: `Button ${mark}` }
      await Promise.all([
        process.call('saveShopSettings', { ...sent, body: names }).then((saved) => note('shop', mark, saved)),
        process.call('saveHomeSettings', { ...sent, body: texts }).then((saved) => note('home', mark, saved)),
      ])
    }),
  )
  for (const { origin } of shop.processes) {
    const { name, hero } = await readPage(origin, { cookie: 'recent-change=1' })
    if (name !== winners.shop) round.faults.push(`the author of ${winners.shop} saw ${name}`)
    if (hero !== winners.home) round.faults.push(`the author of the title ${winners.home} saw ${hero}`)
  }
  return round
}

interface ShownPage {
  /** The marks of the saved fields; empty if they are not on the page. */
  name: string
  title: string
  line: string
  hero: string
  button: string
}

async function readPage(origin: string, headers: Record<string, string> = {}): Promise<ShownPage> {
  const text = await (await fetch(`${origin}/`, { headers })).text()
  const [, title = '', name = ''] = /<title>Title ([\d-]+) · Name ([\d-]+)<\/title>/.exec(text) ?? []
  const [, line = ''] = />Line ([\d-]+)<\/p>/.exec(text) ?? []
  const [, hero = ''] = />Hero ([\d-]+)<\/h1>/.exec(text) ?? []
  const [, button = ''] = />Button ([\d-]+)<\/span>/.exec(text) ?? []
  return { name, title, line, hero, button }
}

/** Reads the home page again and again, sometimes past the cache. Returns how often. */
async function watch({ origin }: Process, faults: Set<string>, signal: AbortSignal): Promise<number> {
  let count = 0
  while (!signal.aborted) {
    const page = await readPage(origin, count % 2 === 0 ? { cookie: 'recent-change=1' } : {})
    const { name, title, line, hero, button } = page
    if (name !== title || name !== line || hero !== button)
      faults.add('a page mixed two versions of the settings')
    count += 1
  }
  return count
}
