import { copyFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase } from '../copied-data.ts'
import { openShopProcesses } from '../shop-process.ts'

export interface RunningShop {
  origin: string
  password: string
  stop(): Promise<void>
}

/** Password of the demo accounts. */
export const password = 'demo-password'

/**
 * Starts the built shop like `npm start`, with its own data folder, and waits until it is open. It has the demo data of
 * `global-setup.ts`; with DATABASE_URL or DEMO it creates its data.
 */
export async function startShop(settings: Record<string, string> = {}): Promise<RunningShop> {
  const processes = openShopProcesses()
  const demo = process.env.DEMO_DATA
  if (demo && !['DATABASE_URL', 'DEMO'].some((name) => name in settings)) {
    copyDatabase(realpathSync(join(demo, 'postgres')), processes.dataDir)
    copyFileSync(join(demo, 'secret'), join(processes.dataDir, 'secret'))
  }
  const { origin, child } = await processes.open({
    DEMO_PASSWORD: password,
    // Each test has its own client IP, so that tests do not use up each other's limits.
    TRUSTED_PROXIES: '1',
    GOOGLE: settings.NODE_ENV === 'production' ? '' : 'sandbox',
    // Pages must show the changes that tests make with API calls.
    CACHE_SECONDS: '0',
    ...settings,
  })
  return {
    origin,
    password,
    async stop() {
      child.signal('SIGTERM')
      const code = await child.ended
      await processes.remove()
      if (code !== 0) throw new Error(`the shop ended with ${code}:\n${child.printed()}`)
    },
  }
}
