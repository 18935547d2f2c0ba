import { cleanup } from '../tests/hardening/cleanup.ts'
import { openShopProcesses } from '../tests/shop-process.ts'
import { below, type Measure, median } from './measure.ts'

const times = 5

/** Time from `npm start` to the first page, after an earlier start has built and installed everything. */
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
    return [below('first answer after npm start', 's', median(seconds), 2)]
  },
}
