import type { Check } from './check.ts'
import { databaseFaults } from './database-faults.ts'
import { openOverload } from './overload.ts'
import { maxResponseMs } from './probes.ts'
import { providerFaults } from './provider-faults.ts'

/** The small size also runs on busy machines: it fails if responses wait until Postgres responds again. */
const sizes = {
  small: {
    fault: { frozenMs: 3_000, maxMs: 2_800 },
    orders: 8,
    load: { connections: 600, seconds: 3, maxAcceptedMs: 15_000, maxCachedMs: 6_000 },
  },
  full: {
    fault: { frozenMs: 5_000, maxMs: maxResponseMs },
    orders: 60,
    load: { connections: 1_500, seconds: 30, maxAcceptedMs: 5_000, maxCachedMs: maxResponseMs },
  },
}

/** Database faults, provider faults and overload. */
export const faults: Check = {
  name: 'faults',
  isTimed: true,
  async run(size, print, seed) {
    const { fault, orders, load } = sizes[size]
    // At the same time, because they mostly wait. Each has its own shop.
    const [database, provider, overload] = await Promise.all([
      databaseFaults(fault, seed, print),
      providerFaults(orders, print),
      openOverload(load, print),
    ])
    const findings = [database, provider, await overload.run()]
    return {
      figures: findings.flatMap(({ figures }) => figures),
      violations: findings.flatMap(({ violations }) => violations),
    }
  },
}
