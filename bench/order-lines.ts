import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Database } from '../db/schema.ts'
import { exportOrderLines } from '../server/modules/orders/service.ts'
import { copyCsv } from '../server/platform/database/csv-export.ts'
import type { TestCustomer } from '../tests/factories.ts'
import { cleanup } from '../tests/hardening/cleanup.ts'
import { residentMemory } from '../tests/hardening/memory.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { alternate, atMost, below, type Row } from './measure.ts'

const memoryIntervalMs = 20

/**
 * `order-lines.csv` of the newest orders, against the same statement through `pg`.
 *
 * @param orders their number
 * @param lines their lines, for the titles of the rows
 */
export async function measureOrderLines(
  shop: ShopUnderTest,
  { token }: TestCustomer,
  { orders, lines }: { orders: number; lines: number },
  print: (progress: string) => void,
): Promise<Row[]> {
  const { origin, child } = shop.processes[0]
  const from = await findStart(shop.db, orders)
  // The options of the shop's own connections, without their limit of the time.
  const options = '-c jit=off -c statement_timeout=0'
  const client = new Client({ connectionString: shop.databaseUrl, options })
  cleanup.add(() => client.end())
  await client.connect()
  const statement = copyCsv(exportOrderLines(shop.db, { from }), { separator: ',', hasHeader: true })

  const sizes = new Set<number>()
  const firstBytes: number[] = []
  /** Returns the seconds until the last byte. */
  const read = async (open: () => Promise<AsyncIterable<Uint8Array>>, onFirst?: (ms: number) => void) => {
    const began = performance.now()
    let bytes = 0
    for await (const chunk of await open()) {
      if (bytes === 0) onFirst?.(performance.now() - began)
      bytes += chunk.length
    }
    sizes.add(bytes)
    return (performance.now() - began) / 1000
  }
  const download = async () => {
    const url = `${origin}/api/v1/order-lines.csv?from=${from}`
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }
    const { status, body } = await fetch(url, { headers })
    if (status !== 200 || !body) throw new Error(`the status was ${status}`)
    return body
  }

  const before = residentMemory(child.pid)
  let highest = before
  const watching = setInterval(() => {
    highest = Math.max(highest, residentMemory(child.pid))
  }, memoryIntervalMs)
  const what = `order-lines.csv of ${lines.toLocaleString('en')} lines`
  const seconds = await alternate(
    () => read(download, (ms) => firstBytes.push(ms)),
    () => read(async () => client.query(copyTo(statement))),
    what,
    print,
  ).finally(() => clearInterval(watching))
  if (sizes.size > 1) throw new Error(`the files have different sizes: ${[...sizes].join(', ')} bytes`)
  return [
    below(`${what}, slowest first byte`, 's', Math.max(...firstBytes) / 1000, 1),
    atMost(1.5, { what: `${what}, against copy through pg`, unit: 's', ...seconds }),
    atMost(1.15, {
      what: `${what}, highest memory of the shop against before`,
      unit: 'MiB',
      ours: highest,
      limit: before,
    }),
  ]
}

/** Returns when the first of the newest N orders was placed, in ISO 8601. */
async function findStart(db: Kysely<Database>, orders: number): Promise<string> {
  const { rows } = await sql<{ placed_at: Date }>`
    select placed_at from orders where status <> 'cancelled'
    order by placed_at desc nulls last, id offset ${orders - 1} limit 1`.execute(db)
  if (!rows[0]) throw new Error(`the shop has fewer than ${orders} orders`)
  return rows[0].placed_at.toISOString()
}
