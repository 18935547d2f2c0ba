/**
 * `npm run bench`: measures the shop and reference programs on the same machine, and writes the table of each measurement
 * into docs/performance.md. `--only <name>` runs one measurement.
 */
import { parseArgs } from 'node:util'
import { cleanup } from '../tests/hardening/cleanup.ts'
import { cached } from './cached.ts'
import { capacity } from './capacity.ts'
import { desk } from './desk.ts'
import type { Measure } from './measure.ts'
import { metrics } from './metrics.ts'
import { movingIn } from './moving-in.ts'
import { orders } from './orders.ts'
import { paint } from './paint.ts'
import { priceList } from './price-list.ts'
import { replicas } from './replicas.ts'
import { scale } from './scale.ts'
import { staff } from './staff.ts'
import { start } from './start.ts'
import { toTable, writeTable } from './table.ts'
import { uncached } from './uncached.ts'
import { unchanged } from './unchanged.ts'

const measures: readonly Measure[] = [
  cached,
  metrics,
  unchanged,
  uncached,
  replicas,
  orders,
  staff,
  paint,
  start,
  priceList,
  scale,
  desk,
  movingIn,
  capacity,
]

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } })
const unknown = values.only.find((name) => !measures.some((measure) => measure.name === name))
if (unknown !== undefined) {
  const names = measures.map(({ name }) => name).join(', ')
  process.stderr.write(`Unknown measurement '${unknown}'. Choose one of ${names}.\n`)
  process.exit(2)
}
const chosen = values.only.length > 0 ? measures.filter(({ name }) => values.only.includes(name)) : measures

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void cleanup.close().then(() => process.exit(130)))
}

for (const { name, run } of chosen) {
  try {
    const measured = await run((progress) => process.stderr.write(`${name}: ${progress}\n`))
    if (measured.length > 0) {
      process.stdout.write(`${toTable(measured)}\n`)
      // A machine that cannot measure leaves the table as it is.
      if (measured.some(({ isMet }) => isMet !== null)) writeTable(name, measured)
    }
  } finally {
    await cleanup.close()
  }
}
