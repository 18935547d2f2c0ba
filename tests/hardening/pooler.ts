import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chownTo, findServerAccount, isRoot } from '../../server/platform/embedded-postgres/server-folder.ts'
import { startChild } from '../child.ts'
import { freePort } from '../free-port.ts'
import type { Check } from './check.ts'
import { cleanup } from './cleanup.ts'
import { findViolations } from './consistency.ts'
import { inLanes } from './parallel.ts'
import { openProcess, openShopUnderTest } from './shop-under-test.ts'
import { openWorkload, runIteration } from './shopping.ts'

const iterations = { small: 60, full: 1_000 }
const buyersAtOnce = 16
/** Fewer than the connections of the process, so that each transaction may get another session. */
const sessions = 4

/** Buyers at a process that reaches Postgres through PgBouncer, which pools transactions. */
export const pooler: Check = {
  name: 'pooler',
  async run(size, print, seed) {
    const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' })
    const version = /^PgBouncer ([\d.]+)/.exec(stdout ?? '')?.[1]
    if (!version) {
      const measured = 'not checked: install PgBouncer (apt-get install --no-install-recommends pgbouncer)'
      return { figures: [{ what: 'purchases through PgBouncer', measured }], violations: [] }
    }
    const settings = { SHOP_SECRET: randomBytes(32).toString('hex') }
    const shop = await openShopUnderTest({ settings })
    const pooled = await openProcess({
      ...settings,
      DATABASE_URL: await openPgBouncer(shop.databaseUrl),
      // Version 1.18 has no prepared statements.
      DATABASE_PREPARED: 'off',
    })
    const throughPooler = { ...shop, processes: [pooled] as [typeof pooled] }
    const workload = await openWorkload(throughPooler, seed, { buyers: 20, products: 20 })
    await inLanes(Array(iterations[size]).keys(), buyersAtOnce, (number) => runIteration(workload, number))
    print(`${workload.orders.size} orders through PgBouncer ${version}`)
    const missingGuards = pooled.printed().includes('The database session has')
    return {
      figures: [{ what: `orders through PgBouncer ${version}`, measured: String(workload.orders.size) }],
      violations: [
        ...(workload.orders.size === 0 ? ['no order was placed'] : []),
        ...(missingGuards ? ['the sessions of the pooler lack timeouts'] : []),
        ...(workload.tally.unavailable > 0 ? [`${workload.tally.unavailable} responses were 503`] : []),
        ...(await findViolations(workload)),
      ],
    }
  },
}

/** Starts PgBouncer in front of a database. Returns its URL. */
async function openPgBouncer(databaseUrl: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(path.join(tmpdir(), 'pgbouncer-'))
  cleanup.add(async () => rmSync(folder, { recursive: true }))
  const url = new URL(databaseUrl)
  url.port = String(await freePort())
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: url.port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: path.join(folder, 'users'),
    pool_mode: 'transaction',
    default_pool_size: sessions,
    max_client_conn: 100,
    server_login_retry: 1,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const target = `host=${hostname} port=${port} dbname=${pathname.slice(1)}`
  writeFileSync(settings.auth_file, `"${username}" "${password}"\n`)
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(file, `[databases]\n${pathname.slice(1)} = ${target}\n\n[pgbouncer]\n${lines.join('\n')}\n`)
  // It refuses to run as root.
  const account = isRoot ? findServerAccount() : undefined
  if (account) chownTo(account, folder)
  chmodSync(folder, 0o700)
  const child = startChild('pgbouncer', [file], { account })
  cleanup.add(child.kill)
  await child.line(/listening on 127\.0\.0\.1/)
  return url.href
}
