import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Account } from '../server/platform/embedded-postgres/server-folder.ts'
import { type Child, startChild } from './child.ts'
import { removeEmbeddedPostgres } from './embedded-postgres-folder.ts'
import { freePort } from './free-port.ts'

export const project = path.join(import.meta.dirname, '..')

export interface ShopProcess {
  origin: string
  child: Child
}

/** Starts shops in child processes, and stops them all. */
export interface ShopProcesses {
  /** The default data folder, which `remove` deletes. */
  dataDir: string
  /** Starts a shop on a free port, and does not wait for it. */
  start(settings?: Record<string, string>, account?: Account): Promise<ShopProcess>
  /** Starts a shop and waits until it is open. */
  open(settings?: Record<string, string>, account?: Account): Promise<ShopProcess>
  /** Runs `npm start` and waits until the shop is open. */
  openByNpm(): Promise<ShopProcess>
  /** Ends all shops like a system that shuts down, and waits. Their data stay. */
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Secret of the shops on one test database, whose processes need the same one. */
export const testSecret = 'the same secret in all processes of a shop'

/** Environment of a process, without the settings of the test run. */
export const baseEnvironment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  // As under `npm start`.
  NODE_COMPILE_CACHE: path.join(project, 'node_modules/.cache/compiled'),
}

/** The flag of Node that the commands of `package.json` and `deploy/` have: less memory for young objects. */
const nodeFlags = ['--max-semi-space-size=16']

/** @param folder of the checkout that they run */
export function openShopProcesses(folder = project): ShopProcesses {
  const parent = mkdtempSync(path.join(tmpdir(), 'shop-process-'))
  // The account of Postgres may enter it, so that no data are outside of the folder for temporary files.
  chmodSync(parent, 0o711)
  const dataDir = path.join(parent, 'data')
  const shops: { child: Child; dataDir: string }[] = []
  let isRemoved = false

  async function run(
    command: string[],
    settings: Record<string, string>,
    options: object,
  ): Promise<ShopProcess> {
    const [program = '', ...args] = command
    const required = settings.DATABASE_URL
      ? { SHOP_SECRET: testSecret, DEMO_PASSWORD: 'demo-password' }
      : undefined
    const env = {
      ...baseEnvironment,
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      ...required,
      ...settings,
    }
    // After Ctrl-C nothing would stop a new process.
    if (isRemoved) throw new Error('these shops are removed')
    const child = startChild(program, args, { cwd: folder, env, ...options })
    shops.push({ child, dataDir: env.DATA_DIR })
    return { origin: `http://localhost:${env.PORT}`, child }
  }
  const start: ShopProcesses['start'] = (settings = {}, account) =>
    run([process.execPath, ...nodeFlags, 'server/main.ts'], settings, { account })
  return {
    dataDir,
    start,
    async open(settings, account) {
      return untilOpen(await start(settings, account))
    },
    async openByNpm() {
      return untilOpen(await run(['npm', 'start'], {}, { detached: true }))
    },
    async stop() {
      await Promise.all(
        shops.map(({ child }) => {
          child.signal('SIGTERM')
          return child.ended
        }),
      )
    },
    async remove() {
      isRemoved = true
      await Promise.all(shops.map(({ child }) => child.kill()))
      for (const data of new Set(shops.map((shop) => shop.dataDir))) await removeEmbeddedPostgres(data)
      rmSync(parent, { recursive: true })
    },
  }
}

async function untilOpen(shop: ShopProcess): Promise<ShopProcess> {
  await shop.child.line(/Torque Yard is (open|running)/)
  return shop
}
