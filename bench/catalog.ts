/**
 * `node bench/catalog.ts <postgres://…> <postgres://…>`: how long search and filters take, and how much memory the shop
 * has, on each of these databases, which `npm run seed` has filled before. The first is what the others are compared with.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { catalogProduct } from '../seed/catalog.ts'
import { freePort } from '../tests/free-port.ts'

const rounds = 180
const warmUp = 30

interface Figures {
  /** Milliseconds within which 95 of 100 answers came. */
  p95: Record<string, number>
  mebibytes: number
}

const drawn = (number: number) => catalogProduct(number * 31)

/** What riders ask for, each time something else. */
const questions: ((number: number) => Record<string, string>)[] = [
  (n) => ({ kind: drawn(n).kind, sort: 'price' }),
  (n) => ({ brand: drawn(n).brand, page: String((n % 3) + 1) }),
  (n) => ({ brand: drawn(n).brand, kind: drawn(n).kind, inStock: 'true' }),
  (n) => ({ kind: drawn(n).kind, price: '50-100', sort: '-created' }),
  (n) => ({ category: drawn(n).category, inStock: 'true', sort: 'name' }),
  (n) => ({ q: drawn(n).kind }),
  (n) => ({ q: drawn(n).brand, sort: '-price' }),
  (n) => ({ q: drawn(n).name.split(/[ ,]+/).slice(0, 3).join(' ') }),
  (n) => ({ q: drawn(n).name.split(', ').at(-1) ?? '', kind: drawn(n).kind }),
  (n) => ({ q: `${drawn(n).brand.toLowerCase()} ${drawn(n).kind.toLowerCase().slice(0, 5)}` }),
  (n) => ({ q: drawn(n % 300).sku.toLowerCase() }),
  (n) => ({ q: misspelt(drawn(n).brand) }),
]

/** Two letters in its middle, exchanged. */
function misspelt(word: string): string {
  const at = Math.floor(word.length / 2)
  return word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1)
}

async function measure(database: string): Promise<Figures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-bench-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: database, DEMO: '0' }
  const shop = spawn(process.execPath, ['server/main.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(shop.stdout)) if (line.includes('is open')) break
  try {
    const p95 = {
      'GET /api/products': await percentile((search) => `${origin}/api/products?pageSize=24&${search}`),
      'GET /api/v1/products/facets': await percentile(
        (search) => `${origin}/api/v1/products/facets?${search}`,
      ),
      'the page, made anew': await percentile((search) => `${origin}/products?${search}`),
    }
    const status = readFileSync(`/proc/${shop.pid}/status`, 'utf8')
    return { p95, mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 }
  } finally {
    shop.kill('SIGTERM')
    await once(shop, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function percentile(path: (search: string) => string): Promise<number> {
  const times: number[] = []
  for (let round = -warmUp; round < rounds; round += 1) {
    const question = questions[(round + warmUp) % questions.length]
    const search = String(new URLSearchParams(question?.(round + warmUp + 1)))
    const started = performance.now()
    const response = await fetch(path(search))
    await response.arrayBuffer()
    if (round >= 0) times.push(performance.now() - started)
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN
}

const figures: Figures[] = []
for (const database of process.argv.slice(2)) figures.push(await measure(database))
const [base] = figures
for (const { p95, mebibytes } of figures) {
  for (const [name, time] of Object.entries(p95)) {
    const ratio = time / (base?.p95[name] ?? Number.NaN)
    process.stdout.write(`${name.padEnd(30)} p95 ${time.toFixed(1).padStart(7)} ms  ${ratio.toFixed(2)}\n`)
  }
  const ratio = mebibytes / (base?.mebibytes ?? Number.NaN)
  process.stdout.write(
    `${'memory of the shop'.padEnd(30)} ${mebibytes.toFixed(0).padStart(11)} MiB ${ratio.toFixed(2)}\n\n`,
  )
}
