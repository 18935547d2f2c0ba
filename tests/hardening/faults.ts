import type { Check } from './check.ts'
import { databaseFaults } from './database-faults.ts'
import { overload } from './overload.ts'
import { providerFaults } from './provider-faults.ts'

const sizes = {
  small: { frozenMs: 3_000, orders: 8, connections: 600, seconds: 3 },
  full: { frozenMs: 5_000, orders: 60, connections: 1_500, seconds: 30 },
}

/** Database faults, provider faults and overload. */
export const faults: Check = {
  name: 'faults',
  isTimed: true,
  async run(size, print, seed) {
    const { frozenMs, orders, connections, seconds } = sizes[size]
    const findings = [
      // At the same time, because both mostly wait. Each has its own shop.
      ...(await Promise.all([databaseFaults(frozenMs, seed, print), providerFaults(orders, print)])),
      await overload(connections, seconds, print),
    ]
    return {
      figures: findings.flatMap(({ figures }) => figures),
      violations: findings.flatMap(({ violations }) => violations),
    }
  },
}
