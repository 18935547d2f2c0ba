import { readFileSync } from 'node:fs'
import { freePort } from '../tests/free-port.ts'
import { openProcess } from '../tests/hardening/shop-under-test.ts'
import { openCatalog } from './catalog-under-test.ts'
import { load } from './load.ts'
import { alternate, atLeast, below, type Measure, type Row } from './measure.ts'

const rounds = 6
const seconds = 4
const path = '/products'
const secret = 'the same secret in both processes of the benchmark'

/** Packages that metrics, traces and the bucket of pictures have added to production. */
const added = ['prom-client', '@opentelemetry/api', 'aws4fetch']

/** Cached pages of a process with metrics, against one without; and the packages that operators do not ask for. */
export const metrics: Measure = {
  name: 'metrics',
  async run(print) {
    const shop = await openCatalog(1_000, print, { SHOP_SECRET: secret })
    const measured = await openProcess({
      DATABASE_URL: shop.databaseUrl,
      SHOP_SECRET: secret,
      METRICS_PORT: String(await freePort()),
    })
    const measure = async (origin: string) =>
      (await load({ origin, connections: 16, seconds, request: () => ({ path, method: 'GET' }) })).perSecond
    const medians = await alternate(
      () => measure(measured.origin),
      () => measure(shop.processes[0].origin),
      path,
      print,
      rounds,
    )
    const what = 'product list page, seen before, with metrics against without'
    return [atLeast(0.9, { what, unit: '/s', ...medians }), countPackages()]
  },
}

interface Lockfile {
  packages: Record<string, { dependencies?: Record<string, string> }>
}

function countPackages(): Row {
  const { packages } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  ) as Lockfile
  const direct = Object.keys(packages['']?.dependencies ?? {})
  const all = collect(packages, direct)
  const others = collect(
    packages,
    direct.filter((name) => !added.includes(name)),
  )
  return below('packages added by metrics, traces and S3', '', all.size - others.size, 30)
}

/** Returns these packages and all that they depend on, as places in node_modules. */
function collect(packages: Lockfile['packages'], names: string[]): Set<string> {
  const found = new Set(names.map((name) => `node_modules/${name}`))
  // The loop includes the places that it adds.
  for (const place of found) {
    for (const name of Object.keys(packages[place]?.dependencies ?? {})) {
      const own = `${place}/node_modules/${name}`
      found.add(own in packages ? own : `node_modules/${name}`)
    }
  }
  return found
}
