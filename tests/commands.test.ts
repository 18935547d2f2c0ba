import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { canEnter, findServerAccount, isRoot } from '../server/platform/embedded-postgres/server-folder.ts'
import { openTestDatabase } from './database.ts'
import { openTcpProxy } from './proxy.ts'
import { openShopProcesses, project, type ShopProcess, type ShopProcesses } from './shop-process.ts'

/** Most tests use one data folder, because a new database takes longer than the rest of a test. */
let shops: ShopProcesses

beforeAll(() => {
  shops = openShopProcesses()
})
afterEach(() => shops.stop())
afterAll(() => shops.remove())

/** Returns the password that the shop printed for a demo account. */
async function readPassword({ child }: ShopProcess, email: string): Promise<string | undefined> {
  return (await child.line(new RegExp(`^ *${email}`))).trim().split(/ +/)[1]
}

async function status({ origin }: ShopProcess, where: string): Promise<number> {
  return (await fetch(`${origin}${where}`)).status
}

const readProducts = async ({ origin }: ShopProcess) => (await fetch(`${origin}/api/products`)).text()

function postmaster(dataDir = shops.dataDir): number {
  return Number.parseInt(readFileSync(path.join(dataDir, 'postgres/18/postmaster.pid'), 'utf8'), 10)
}

test('prints its address and the demo accounts, serves, and has the same data at the next start', async () => {
  const shop = await shops.open()
  expect(shop.child.printed()).toContain(`Torque Yard is open: ${shop.origin}`)
  expect(await status(shop, '/')).toBe(200)
  expect(await status(shop, '/healthz')).toBe(200)
  expect(await status(shop, '/readyz')).toBe(200)
  const password = await readPassword(shop, 'admin@example.com')
  expect(password).toMatch(/^[a-z0-9-]{12,}$/)
  expect(await readPassword(shop, 'rider@example.com')).toBe(password)
  const products = await readProducts(shop)
  await shops.stop()
  const next = await shops.open()
  expect(await status(next, '/')).toBe(200)
  expect(await readProducts(next)).toBe(products)
  expect(await readPassword(next, 'admin@example.com')).toBe(password)
})

test('runs twice concurrently, with two ports and data folders; one has its own password and only this account can enter it', async () => {
  const parent = path.join(path.dirname(shops.dataDir), 'private')
  mkdirSync(parent, { mode: 0o700 })
  const other = { DATA_DIR: path.join(parent, 'data'), DEMO_PASSWORD: 'of-my-own-choice' }
  const pair = await Promise.all([shops.open(), shops.open(other)])
  expect(await Promise.all(pair.map((shop) => status(shop, '/readyz')))).toEqual([200, 200])
  expect(postmaster()).not.toBe(postmaster(other.DATA_DIR))
  expect(await readPassword(pair[0], 'admin@example.com')).not.toBe('of-my-own-choice')
  expect(await readPassword(pair[1], 'admin@example.com')).toBe('of-my-own-choice')
})

test('prints the fix in one sentence and fails if the port is in use, and leaves no database running', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, 'localhost', () => resolve((taken.address() as AddressInfo).port))
  })
  const { child } = await shops.start({ PORT: String(port) })
  expect([await child.ended, child.printed()]).toEqual([
    1,
    `Port ${port} is already in use. Stop the other process or set PORT.`,
  ])
  taken.close()
  expect(() => postmaster()).toThrow('ENOENT')
})

test('a shop without an owner says how it gets one, and is not ready but alive while its database is missing or not migrated', async () => {
  const database = await openTestDatabase()
  const proxy = await openTcpProxy(database.url)
  try {
    const shop = await shops.open({ DATABASE_URL: proxy.url, DEMO: '0' })
    await shop.child.line(/npm run make-admin -- you@your-shop\.example/)
    // The schema changes only with the server, so it is checked when the shop connects again.
    const disconnect = () => proxy.redirect(database.url)
    const untilReady = async (code: number) => {
      await expect.poll(() => status(shop, '/readyz')).toBe(code)
    }
    await database.pool.query("update migrations set name = 'x' || name")
    disconnect()
    await untilReady(503)
    expect(await status(shop, '/healthz')).toBe(200)
    await database.pool.query('update migrations set name = substr(name, 2)')
    disconnect()
    await untilReady(200)
    await proxy.close()
    await untilReady(503)
    expect(await status(shop, '/healthz')).toBe(200)
  } finally {
    await proxy.close()
    await database.close()
  }
})

test('a process that cannot read whether the shop has an owner goes on serving', async () => {
  const { url, pool, close } = await openTestDatabase()
  try {
    await pool.query('alter table customers rename is_owner to other')
    const shop = await shops.open({ DATABASE_URL: url, DEMO: '0', ROLE: 'worker' })
    await shop.child.line(/whether the shop has an owner/)
    expect(await status(shop, '/healthz')).toBe(200)
  } finally {
    await shops.stop()
    await close()
  }
})

test('serves again after its database is killed, and starts with its data after kill -9 of both', async () => {
  const shop = await shops.open()
  const products = await readProducts(shop)
  const password = await readPassword(shop, 'admin@example.com')
  const killed = postmaster()
  process.kill(killed, 'SIGKILL')
  // Its backends serve for a moment without it.
  await expect.poll(() => postmaster()).not.toBe(killed)
  await expect.poll(() => status(shop, '/api/reviews')).toBe(200)
  expect(await status(shop, '/readyz')).toBe(200)
  process.kill(postmaster(), 'SIGKILL')
  await shop.child.kill()
  const next = await shops.open()
  expect(await readProducts(next)).toBe(products)
  expect(await readPassword(next, 'admin@example.com')).toBe(password)
})

// Root can write everywhere.
const accounts = isRoot ? [findServerAccount()].filter((account) => canEnter(account, project)) : [undefined]
test.each(accounts)(
  'with DATABASE_URL it needs no folder that it can write, and writes no file',
  async (account) => {
    const { url, close } = await openTestDatabase()
    const folder = mkdtempSync(path.join(tmpdir(), 'read-only-'))
    try {
      chmodSync(folder, 0o555)
      const folders = {
        HOME: folder,
        TMPDIR: folder,
        DATA_DIR: path.join(folder, 'data'),
        NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
      }
      const shop = await shops.open({ DATABASE_URL: url, ...folders }, account)
      expect(await Promise.all(['/', '/products', '/readyz'].map((page) => status(shop, page)))).toEqual([
        200, 200, 200,
      ])
      shop.child.signal('SIGTERM')
      expect(await shop.child.ended).toBe(0)
      expect(readdirSync(folder)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
      await close()
    }
  },
)
