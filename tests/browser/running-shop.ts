import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyDatabase } from '../copied-data.ts'
import { freePort } from '../free-port.ts'

export interface RunningShop {
  origin: string
  password: string
  stop(): Promise<void>
}

const password = 'demo-password'

/**
 * Starts the built shop like `npm start`, with its own data folder, and waits until it is open. It has the demo data of
 * `global-setup.ts`, or creates its data, with other settings of them.
 */
export async function startShop(settings: Record<string, string> = {}): Promise<RunningShop> {
  const folder = mkdtempSync(join(tmpdir(), 'shop-browser-'))
  // The account of Postgres may enter it, so that its data are deleted with it.
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'data')
  const demo = process.env.DEMO_DATA
  if (demo && !['DATA_DIR', 'DATABASE_URL', 'DEMO'].some((name) => name in settings)) {
    copyDatabase(realpathSync(join(demo, 'postgres')), dataDir)
    copyFileSync(join(demo, 'secret'), join(dataDir, 'secret'))
  }
  const port = settings.PORT ?? String(await freePort())
  const shop = spawn('node', ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      // As under `npm start`.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
      DEMO_PASSWORD: password,
      // Each test has its own client IP, so that tests do not use up each other's limits.
      TRUSTED_PROXIES: '1',
      GOOGLE: settings.NODE_ENV === 'production' ? '' : 'sandbox',
      // Pages must show the changes that tests make with API calls.
      CACHE_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await waitUntilOpen(shop)
  return {
    origin: `http://localhost:${port}`,
    password,
    async stop() {
      shop.kill('SIGTERM')
      const [code] = await once(shop, 'exit')
      rmSync(folder, { recursive: true, force: true })
      if (code !== 0) throw new Error(`the shop ended with ${code}`)
    },
  }
}

function waitUntilOpen(shop: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    shop.once('exit', (code) => reject(new Error(`the shop did not start: ${code}`)))
    shop.stdout?.on('data', (text: Buffer) => {
      if (text.includes('is open')) resolve()
    })
  })
}
