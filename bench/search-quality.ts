/**
 * `npm run search-quality`: searches the demo shop with the words of riders, and prints the share of the queries whose
 * page offers what it must (docs/search.md). `-- <URL>` asks a running demo shop instead of its own.
 */
import { parseArgs } from 'node:util'
import { cleanup } from '../tests/hardening/cleanup.ts'
import { toMarkdown } from '../tests/markdown-table.ts'
import { type Result, searchAll, share } from '../tests/search/search-quality.ts'
import { openShopProcesses } from '../tests/shop-process.ts'

const sets = ['tuning', 'held-out'] as const
const head = [
  'queries',
  'number',
  ...['first three', 'first page'].map((place) => `${place}: ${sets.join(' / ')}`),
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { failures: { type: 'boolean', default: false } },
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void cleanup.close().then(() => process.exit(130)))
}

try {
  const origin = positionals[0] ?? (await openDemoShop())
  const results = await searchAll(origin.replace(/\/$/, ''))
  print(toMarkdown(head, toRows(results)))
  // Only of one half, so that no one tunes the search for the other.
  if (values.failures) print(listFailures(results.filter(({ set }) => set === 'tuning')))
} finally {
  await cleanup.close()
}

async function openDemoShop(): Promise<string> {
  const shops = openShopProcesses()
  cleanup.add(shops.remove)
  return (await shops.open({ LOG_LEVEL: 'error' })).origin
}

/** One row for each group, and one for all. */
function toRows(results: Result[]): string[][] {
  const groups = [...Map.groupBy(results, ({ group }) => group), ['all', results] as const]
  return groups.map(([name, group]) => [
    name,
    `${group.length}`,
    toShares(group, ({ inFirstThree }) => inFirstThree),
    toShares(group, ({ onFirstPage }) => onFirstPage),
  ])
}

/** Returns the share of each set in percent. */
function toShares(results: Result[], isSuccess: (result: Result) => boolean): string {
  return sets
    .map((name) => {
      const half = results.filter(({ set }) => set === name)
      return half.length === 0 ? '–' : `${Math.round(100 * share(half, isSuccess))} %`
    })
    .join(' / ')
}

function listFailures(results: Result[]): string[] {
  return results
    .filter(({ inFirstThree }) => !inFirstThree)
    .map(({ group, q, expect, onFirstPage, page }) => {
      const shown = page.top.products.map(({ name }) => name).join(', ') || 'no product'
      const place = onFirstPage ? 'further down' : 'missing'
      return `${group}: ${q}\n  ${place}: ${JSON.stringify(expect)}\n  first: ${shown}`
    })
}

function print(lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n\n`)
}
