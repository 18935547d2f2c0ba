import { randomBytes } from 'node:crypto'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { fillCatalog } from '../../seed/fill-catalog.ts'
import { builtAssets } from '../../server/config/config.ts'
import { migrateShop, migrations } from '../../server/open-database.ts'
import type { Manifest } from '../../server/pages/assets.ts'
import { createDatabase } from '../../server/platform/database/database.ts'
import { readMigrations } from '../../server/platform/database/migrations.ts'
import { publishFiles } from '../../server/platform/publish-files.ts'
import { startChild } from '../child.ts'
import { makeEmbeddedPostgresFolder } from '../embedded-postgres-folder.ts'
import { project } from '../shop-process.ts'
import { openBalancer } from './balancer.ts'
import type { Check } from './check.ts'
import { cleanup } from './cleanup.ts'
import { findViolations } from './consistency.ts'
import { openProcess, openShopOn, type Process } from './shop-under-test.ts'
import { openWorkload, runLoad } from './shopping.ts'

const sizes = {
  small: {
    buyers: 30,
    products: 10,
    connections: 2,
    browsers: 1,
    roles: ['all', 'all'],
    catalog: 1_000,
    drainSeconds: 1,
    reportMs: 0,
  },
  full: {
    buyers: 500,
    products: 30,
    connections: 16,
    browsers: 4,
    roles: ['web', 'web', 'web', 'worker'],
    catalog: 1_000_000,
    drainSeconds: 3,
    reportMs: 4_000,
  },
}
/** The small size also runs on busy machines. */
const maxResponseMs = { small: 10_000, full: 2_000 }
const pages = ['/', '/products', '/products?sort=price']
const entry = 'web/entry.client.tsx'

/**
 * Deploys a next version, which has one more column, one more index and one more asset, and then this version again, by
 * rolling restarts during purchases. No request may fail.
 */
export const deploy: Check = {
  name: 'deploy',
  isChosenOnly: true,
  async run(size, print, seed) {
    const { buyers, products, connections, browsers, roles, catalog, drainSeconds, reportMs } = sizes[size]
    const databaseFolder = makeEmbeddedPostgresFolder()
    cleanup.add(databaseFolder.remove)
    const { url: databaseUrl } = await databaseFolder.open()
    const assetsDir = mkdtempSync(path.join(tmpdir(), 'assets-'))
    cleanup.add(async () => rmSync(assetsDir, { recursive: true }))
    const next = createNextVersion()
    const balancer = await openBalancer(size, roles.filter((role) => role !== 'worker').length)
    const settings = {
      DATABASE_URL: databaseUrl,
      SHOP_SECRET: randomBytes(32).toString('hex'),
      HOST: '127.0.0.1',
      PUBLIC_URL: balancer.origin,
      MIGRATE: 'off',
      DRAIN_SECONDS: String(drainSeconds),
      ASSETS_DIR: assetsDir,
    }
    const eachSettings = (await balancer.assignPorts(roles)).map((own) => ({ ...settings, ...own }))

    publishFiles(builtAssets, assetsDir, 1)
    const database = createDatabase(databaseUrl, { poolSize: 2 })
    cleanup.add(database.close)
    await migrateShop(database, print)
    const shop = await openShopOn(databaseUrl, eachSettings)
    const workload = await openWorkload({ ...shop, processes: [balancer] }, seed, { buyers, products })
    await fillCatalog(shop.db, catalog, (done) => done % 100_000 === 0 && print(`${done} products`))

    const violations: string[] = []
    const running: Process[] = [...shop.processes]
    /** Restarts one process after the other with another version. */
    async function roll(folder: string): Promise<void> {
      for (const [index, { child }] of running.entries()) {
        child.signal('SIGTERM')
        const exit = await child.ended
        if (exit !== 0) violations.push(`a process that was stopped has ended with ${exit}`)
        running[index] = await openProcess(eachSettings[index] ?? settings, folder)
      }
    }
    async function deployAndRollBack(): Promise<void> {
      await runCommand('publish-assets', next, settings)
      const report = readForLong(shop.db, reportMs)
      await runCommand('migrate', next, settings)
      await report
      print('migrated')
      await roll(next)
      print('deployed')
      await roll(project)
      print('rolled back')
    }
    const browsing = browse(balancer.origin, browsers)
    await runLoad(workload, size, connections, deployAndRollBack)
    await browsing.end()

    const { tally, orders } = workload
    const failed = tally.lost.length + tally.unavailable + browsing.failures.length
    const missing = browsing.failures.filter((failure) => failure.startsWith('/assets/'))
    const slowestMs = Math.round(Math.max(tally.slowestMs, browsing.slowestMs))
    return {
      figures: [
        { what: 'buyers, connections', measured: `${buyers}, ${connections}` },
        { what: 'processes', measured: roles.join(', ') },
        { what: `responses through ${balancer.name}`, measured: `${tally.responses + browsing.responses}` },
        { what: 'of these failed, with 503', measured: `${failed}`, bound: '0' },
        { what: 'of these 404 for an asset', measured: `${missing.length}`, bound: '0' },
        { what: 'longest response', measured: `${slowestMs} ms`, bound: `${maxResponseMs[size]} ms` },
        { what: 'products with a new index', measured: `${catalog + products}` },
        { what: 'orders acknowledged', measured: `${orders.size}` },
      ],
      violations: [
        ...violations,
        ...tally.lost.map((reason) => `a request of a buyer got no response: ${reason}`),
        ...(tally.unavailable > 0 ? [`${tally.unavailable} requests of buyers got 503`] : []),
        ...new Set(browsing.failures),
        ...(slowestMs > maxResponseMs[size] ? [`a response took ${slowestMs} ms`] : []),
        ...(browsing.entries.size === 2
          ? []
          : [`pages of ${browsing.entries.size} versions were served, not of 2`]),
        ...(await findMissingChanges(shop.db)),
        ...(await findViolations(workload)),
      ],
    }
  },
}

/** Copies this version into another folder, with changes that a later version could make. Returns the folder. */
function createNextVersion(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'next-version-'))
  cleanup.add(async () => rmSync(folder, { recursive: true }))
  const parts = ['build', 'contract', 'db', 'drawings', 'package.json', 'sandboxes', 'seed', 'server', 'web']
  for (const name of parts) cpSync(path.join(project, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(project, 'node_modules'), path.join(folder, 'node_modules'), 'dir')

  const worksWith = `-- works with: ${readMigrations(migrations).at(-1)?.name}`
  const addMigration = (name: string, ...lines: string[]) =>
    writeFileSync(path.join(folder, 'db/migrations', `9999${name}.sql`), `${lines.join('\n')}\n`)
  // The rows of this table are locked and read by prepared statements in transactions.
  addMigration('1_column', worksWith, "alter table orders add column next_version text not null default '';")
  addMigration(
    '2_index',
    '-- no transaction',
    worksWith,
    'create index concurrently if not exists products_next_version on products (name, price_cents);',
  )

  const client = path.join(folder, 'build/client')
  const manifestFile = path.join(client, '.vite/manifest.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const { file = '' } = manifest[entry] ?? {}
  const [name, nextName] = [path.basename(file), `next-${path.basename(file)}`]
  const assets = path.join(client, 'assets')
  // Includes its compressed copies.
  for (const each of readdirSync(assets).filter((one) => one.startsWith(name)))
    renameSync(path.join(assets, each), path.join(assets, each.replace(name, nextName)))
  const nextFile = file.replace(name, nextName)
  writeFileSync(
    manifestFile,
    JSON.stringify({ ...manifest, [entry]: { ...manifest[entry], file: nextFile } }),
  )
  return folder
}

/** Runs a command as `npm run` does. @throws with its output if it fails */
async function runCommand(name: string, folder: string, settings: Record<string, string>): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings }
  const child = startChild(process.execPath, [`server/commands/${name}.ts`], { cwd: folder, env })
  cleanup.add(child.kill)
  if ((await child.ended) !== 0) throw new Error(`${name} failed: ${child.printed()}`)
}

/** Reads orders in a transaction of this length, as a report does. A migration of the table has to wait for it. */
async function readForLong(db: Kysely<Database>, ms: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select count(*) from orders`.execute(tx)
    await delay(ms)
  })
}

async function findMissingChanges(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ column: boolean; index: boolean }>`
    select exists (select from pg_attribute where attrelid = 'orders'::regclass and attname = 'next_version') as column,
      coalesce((select indisvalid from pg_index where indexrelid = to_regclass('products_next_version')), false) as index`.execute(
    db,
  )
  return Object.entries(rows[0] ?? {}).flatMap(([what, exists]) =>
    exists ? [] : [`the ${what} of the next version is missing`],
  )
}

/** Loads pages with their assets, like browsers without a cache, until `end`. */
function browse(origin: string, browsers: number) {
  const state = { isOver: false }
  const result = { responses: 0, slowestMs: 0, failures: [] as string[], entries: new Set<string>() }

  async function load(target: string): Promise<string> {
    const began = performance.now()
    const response = await fetch(origin + target).catch(() => null)
    const body = (await response?.text().catch(() => null)) ?? ''
    result.responses++
    result.slowestMs = Math.max(result.slowestMs, performance.now() - began)
    if (response?.status !== 200) result.failures.push(`${target} returned ${response?.status ?? 'nothing'}`)
    return body
  }
  async function browsePages(): Promise<void> {
    for (let count = 0; !state.isOver; count++) {
      const page = await load(pages[count % pages.length] ?? '/')
      const assets = new Set([...page.matchAll(/\/assets\/[\w.-]+/g)].map(([asset]) => asset))
      for (const asset of assets) {
        if (/entry\.client/.test(asset)) result.entries.add(asset)
        await load(asset)
      }
    }
  }
  const browsing = Promise.all(Array.from({ length: browsers }, browsePages))
  return Object.assign(result, {
    async end() {
      state.isOver = true
      await browsing
    },
  })
}
