import { setTimeout as delay } from 'node:timers/promises'
import { cleanup } from '../tests/hardening/cleanup.ts'
import { residentMemory } from '../tests/hardening/memory.ts'
import { openProcess, openShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { median } from '../tests/quantiles.ts'
import { openShopProcesses, testSecret } from '../tests/shop-process.ts'
import { below, type Measure } from './measure.ts'

const times = 5
/** The first runs of the background jobs have ended by then. */
const idleMs = 20_000

/** Time from `npm start` to the first page, after an earlier start has built and installed everything; memory when idle. */
export const start: Measure = {
  name: 'start',
  async run(print) {
    const shops = openShopProcesses()
    cleanup.add(shops.remove)
    const seconds: number[] = []
    for (let count = 0; count <= times; count++) {
      print(`start ${count} of ${times}`)
      const began = performance.now()
      const { origin, child } = await shops.openByNpm()
      const { status } = await fetch(origin)
      if (status !== 200) throw new Error(`the first page returned ${status}`)
      if (count > 0) seconds.push((performance.now() - began) / 1000)
      child.signalGroup('SIGTERM')
      await child.ended
    }
    return [
      below('first answer after npm start', 's', median(seconds), 2),
      below('memory of an idle process in production', 'MiB', await measureIdle(print), 220),
    ]
  },
}

/** Returns the resident memory of a web process with default settings that has served one page, in MiB. */
async function measureIdle(print: (progress: string) => void): Promise<number> {
  print('idle process')
  // Both use one database, so they need one secret.
  const { databaseUrl } = await openShopUnderTest({ settings: { SHOP_SECRET: testSecret } })
  const production = { NODE_ENV: 'production', PAYMENTS: 'sandbox', LOG_LEVEL: 'info' }
  const { origin, child } = await openProcess({ ...production, DATABASE_URL: databaseUrl })
  await (await fetch(origin)).arrayBuffer()
  await delay(idleMs)
  return residentMemory(child.pid)
}
