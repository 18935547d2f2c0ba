import { once } from 'node:events'
import { request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../../../tests/database.ts'
import { aBike, anAdmin } from '../../../../../tests/factories.ts'
import { checkFile, runImport } from '../../../../../tests/product-import.ts'
import { useCustomer, useTestShop } from '../../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const header = 'part_number,make,model,year_from,note'
/** As long as allowed. */
const note = 'x'.repeat(300)
/** Allowed growth: a batch of rows, and modules that are loaded on first use. All rows of these files take 10 MiB or more. */
const growthMiB = 5
const timeout = 60_000

/** Returns the memory of this process, and so of the shop, after garbage collection, in MiB. */
async function heldMemory(): Promise<number> {
  const session = new Session()
  session.connect()
  // One collection can make more objects unreachable, so run several.
  for (const _ of [1, 2, 3]) await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

test('the rows of a file are not held in memory', async () => {
  const upload = request(`${shop.config.origin}/api/v1/imports?fileName=a.csv&kind=fitments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' },
  })
  upload.on('error', () => undefined)
  upload.write(`${header}\n`)
  const findImport = () => shop.db.selectFrom('product_imports').select(['state', 'rows']).executeTakeFirst()
  let sent = 0
  /** Sends rows until the shop has read this many, and returns the memory that it then holds. */
  async function readRows(rows: number): Promise<number> {
    // The parser keeps the last rows until it gets more.
    while (sent < rows + 100) {
      if (!upload.write(`P-${sent++},Hayashi,K6,2012,${note}\n`)) await once(upload, 'drain')
    }
    await expect.poll(findImport, { timeout }).toEqual({ state: 'reading', rows })
    return heldMemory()
  }
  const few = await readRows(2_500)
  const many = await readRows(25_000)
  upload.destroy()
  await expect.poll(findImport, { timeout }).toMatchObject({ state: 'failed' })
  expect(many - few).toBeLessThan(growthMiB)
})

test('the fitments of an import are not held in memory', async () => {
  const products = 5_000
  await aBike(shop, { year: 2020 })
  await sql`
    insert into products (id, name, description, image, minimum_quantity, stock, price_cents)
    select 'p' || 10000 + n, 'Chain', '', '', 1, 1, 100 from generate_series(1, ${products}::integer) n`.execute(
    shop.db,
  )
  const rows = [2012, 2013].flatMap((year) =>
    Array.from({ length: products }, (_, index) => `p${10_001 + index},Hayashi,K6,${year},${note}`),
  )
  const dryRun = await checkFile(shop, admin, `${header}\n${rows.join('\n')}\n`, 'fitments')
  expect(dryRun).toMatchObject({ errors: [], added: rows.length })
  const before = await heldMemory()

  // The import adds the same fitment with its last products, so it waits for this transaction.
  const last = await shop.db.startTransaction().execute()
  // Postgres would end it after 30 s without a statement.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(last)
  await sql`
    insert into fitments (product_id, model_id, year_from, year_to, source)
    select ${`p${10_000 + products}`}, id, 2012, 2012, 'shop' from models`.execute(last)
  const imported = runImport(shop, admin, dryRun)
  await untilWaiting(shop, 1, 'insert into fitments')
  const during = await heldMemory()
  await last.commit().execute()
  // The last product has one of its two fitments by then, with another note.
  expect(await imported).toMatchObject({ state: 'done', added: rows.length - 1, changed: 1 })
  const { fitments } = await shop.db
    .selectFrom('fitments')
    .select((eb) => eb.fn.countAll<number>().as('fitments'))
    .where('note', '=', note)
    .executeTakeFirstOrThrow()
  expect(fitments).toBe(rows.length)
  expect(during - before).toBeLessThan(growthMiB)
})
