import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

export interface RunningShop {
  origin: string
  password: string
  stop(): Promise<void>
}

const password = 'demo-password'

/** Starts the built shop as `npm start` does, with a data folder of its own, and waits until it serves. */
export async function startShop(settings: Record<string, string> = {}): Promise<RunningShop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-browser-'))
  const port = settings.PORT ?? String(await freePort())
  const shop = spawn('node', ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      DEMO_PASSWORD: password,
      // Each test comes from an address of its own, so that none uses up the limits of another.
      TRUSTED_PROXIES: '1',
      // What a test changes by a call of its own, every page shows.
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
      rmSync(dataDir, { recursive: true, force: true })
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
