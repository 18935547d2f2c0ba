import { spawnSync } from 'node:child_process'
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { cleanup } from '../tests/hardening/cleanup.ts'
import { median } from '../tests/quantiles.ts'
import { type Brand, openBrand } from './brand.ts'
import { openCatalog } from './catalog-under-test.ts'
import { above, atMost, below, type Measure, notMeasured, type Row } from './measure.ts'

/** Slow 4G, applied to each request. Connection setup is not slowed down. */
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}
const times = 5

/** Largest contentful paint and layout shift on a phone, and Lighthouse scores. */
export const paint: Measure = {
  name: 'paint',
  async run(print) {
    const browserPath = findBrowser()
    if (!browserPath) return [notMeasured('largest paint', '≤ 1.2 s', 'no browser found')]
    const shop = await openCatalog(100_000, print)
    const { origin } = shop.processes[0]
    const { id } = await shop.db.selectFrom('products').select('id').executeTakeFirstOrThrow()
    const product = (await fetch(`${origin}/product/${id}`)).url
    const pages = { home: `${origin}/`, list: `${origin}/products`, product }

    const browser = await chromium.launch({ executablePath: browserPath, args: browserArgs })
    cleanup.add(() => browser.close())
    const rows: Row[] = []
    for (const [name, url] of Object.entries(pages)) {
      print(`painting: ${name}`)
      const paints: Paint[] = []
      for (let count = 0; count < times; count++) paints.push(await measurePaint(browser, url))
      rows.push(
        below(`largest paint, ${name}`, 's', median(paints.map(({ largest }) => largest)) / 1000, 1.2),
      )
      rows.push(below(`layout shift, ${name}`, '', Math.max(...paints.map(({ shift }) => shift)), 0))
    }
    const brand = await openBrand(shop, shop.processes[0])
    for (const [name, url] of Object.entries(pages))
      rows.push(...(await compareBrand(browser, brand, { name, url }, print)))
    for (const [name, url] of Object.entries(pages)) rows.push(...getScores(name, url, browserPath, print))
    return rows
  },
}

/** Compares a page with logo and colours with the same page without. They alternate, so that a slower machine affects both. */
async function compareBrand(
  browser: Browser,
  brand: Brand,
  { name, url }: { name: string; url: string },
  print: (progress: string) => void,
): Promise<Row[]> {
  const { pathname } = new URL(url)
  const [ours, limit]: [Paint[], Paint[]] = [[], []]
  for (let count = 1; count <= times; count++) {
    print(`painting with logo and colours: ${name}, ${count} of ${times}`)
    await brand.save(pathname)
    ours.push(await measurePaint(browser, url))
    await brand.reset(pathname)
    limit.push(await measurePaint(browser, url))
  }
  const toLargest = (paints: Paint[]) => median(paints.map(({ largest }) => largest)) / 1000
  const what = `${name}, with logo and colours`
  return [
    atMost(1.03, {
      what: `largest paint, ${what} against without`,
      unit: 's',
      ours: toLargest(ours),
      limit: toLargest(limit),
    }),
    below(`layout shift, ${what}`, '', Math.max(...ours.map(({ shift }) => shift)), 0),
  ]
}

interface Paint {
  /** Milliseconds. */
  largest: number
  shift: number
}

/** Opens a page with an empty cache, a slow connection and a four times slower CPU. */
async function measurePaint(browser: Browser, url: string): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow4g)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(url, { waitUntil: 'networkidle' })
  const paint = await readPaint(page)
  await context.close()
  return paint
}

function readPaint(page: Page): Promise<Paint> {
  return page.evaluate(async () => {
    const entries = (type: string) =>
      new Promise<PerformanceEntryList>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
        observer.observe({ type, buffered: true })
        setTimeout(() => resolve([]), 500)
      })
    const paints = await entries('largest-contentful-paint')
    const shifts = (await entries('layout-shift')) as (PerformanceEntry & { value: number })[]
    return {
      largest: paints.at(-1)?.startTime ?? Number.NaN,
      shift: shifts.reduce((sum, { value }) => sum + value, 0),
    }
  })
}

const minScores = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 }
const runs = 3

/** Returns the median Lighthouse scores for a phone. Lighthouse is too large for a dependency. */
function getScores(name: string, url: string, browserPath: string, print: (progress: string) => void): Row[] {
  const all: Scores[] = []
  let hasFailed = false
  while (all.length < runs) {
    print(`Lighthouse: ${name}, ${all.length + 1} of ${runs}`)
    const result = runLighthouse(url, browserPath)
    if ('scores' in result) all.push(result.scores)
    else if (hasFailed) return [notMeasured(`Lighthouse, ${name}`, '≥ 98 and 100', result.failure)]
    // Lighthouse sometimes loses its recording. Retry once.
    else hasFailed = true
  }
  return Object.entries(minScores).map(([category, minScore]) => {
    const score = median(all.map((each) => each[category]?.score ?? 0))
    return above(`Lighthouse, ${name}: ${category}`, '', Math.round(score * 100), minScore)
  })
}

type Scores = Record<string, { score: number | null }>
type LighthouseResult = { scores: Scores } | { failure: string }

/** Runs `lighthouse` from the `PATH`. A manual install in `node_modules` is lost at the next `npm run`. */
function runLighthouse(url: string, browserPath: string): LighthouseResult {
  const { stdout, stderr, error, status } = spawnSync(
    'lighthouse',
    [url, '--output=json', '--quiet', '--chrome-flags=--headless=new --no-sandbox'],
    { encoding: 'utf8', env: { ...process.env, CHROME_PATH: browserPath }, maxBuffer: 64 * 1024 * 1024 },
  )
  if (error) return { failure: 'Lighthouse is not installed' }
  if (status !== 0) return { failure: `Lighthouse failed (${stderr.trim().split('\n').at(-1)})` }
  const { categories } = JSON.parse(stdout) as { categories: Scores }
  return { scores: categories }
}
