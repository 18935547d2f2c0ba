import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockOrder } from '../server/modules/orders/service.ts'
import { migrations } from '../server/open-database.ts'
import { createDatabase } from '../server/platform/database/database.ts'
import {
  findPending,
  migrate,
  migrateWithin,
  readMigrations,
  requireSchema,
} from '../server/platform/database/migrations.ts'
import { digest, restore } from './backups.ts'
import { startChild } from './child.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { describeSchema } from './describe-schema.ts'
import { anAdmin, aProduct, signedIn } from './factories.ts'
import { brokenRules } from './hardening/invariants.ts'
import { readRows, releases, toBackup, unpackMigrations } from './releases.ts'
import { openTestShop, type TestShop } from './shop.ts'
import { baseEnvironment, project } from './shop-process.ts'

/** The last version before the baseline. */
const beforeBaseline = '0.1.0'
const baseline = '20261124000000_baseline.sql'

async function recreateSchemas({ db }: TestDatabase): Promise<void> {
  await sql`drop schema if exists public, identity, sandbox cascade`.execute(db)
  await sql`create schema public`.execute(db)
}

/** Runs `npm run migrate -- --check`. */
async function check({ url }: TestDatabase): Promise<[exit: unknown, printed: string]> {
  const env = { ...baseEnvironment, DATABASE_URL: url }
  const child = startChild(process.execPath, ['server/commands/migrate.ts', '--check'], { cwd: project, env })
  return [await child.ended, child.printed()]
}

const listRecords = async ({ db }: TestDatabase) =>
  (await sql<{ name: string }>`select name from migrations order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )

/** Checks that the shop has the orders of the backup, with their lines, and what belongs to its customers. */
async function expectEverything(version: string, shop: TestShop): Promise<void> {
  const placed = await readRows(version, 'public.orders', ['id', 'status', 'amount_cents', 'customer_email'])
  const lines = await readRows(version, 'public.order_lines', ['order_id', 'variant_id', 'quantity'])
  const statuses = ['cancelled', 'paid', 'shipped', 'unpaid']
  expect([...new Set(placed.map(({ status = '' }) => status))].toSorted()).toEqual(statuses)

  const admin = await anAdmin(shop)
  const { body: orders } = await shop.call('listOrders', { as: admin })
  const listed = placed.filter(({ status }) => status !== 'cancelled')
  expect(orders.map(({ _id }) => _id).toSorted()).toEqual(listed.map(({ id = '' }) => id).toSorted())
  for (const { id = '', status, amount_cents: cents, customer_email: email } of listed) {
    const { body } = await shop.call('getOrderDetails', { as: admin, params: { id } })
    expect(body).toMatchObject({ id, status, email, total: Number(cents) / 100 })
    const ordered = lines.filter((line) => line.order_id === id)
    expect(body.lines.map(({ variantId, quantity }) => `${quantity} of ${variantId}`).toSorted()).toEqual(
      ordered.map(({ variant_id: variant, quantity }) => `${quantity} of ${variant}`).toSorted(),
    )
  }

  const [line] = await readRows(version, 'public.cart_lines', ['customer_id', 'variant_id'])
  const [bike] = await readRows(version, 'public.garage_bikes', ['bike_id'])
  const owner = await shop.db
    .selectFrom('customers')
    .selectAll()
    .where('id', '=', line?.customer_id ?? '')
    .executeTakeFirstOrThrow()
  const rider = await signedIn(shop, owner)
  const { body: cart } = await shop.call('getCart', { as: rider })
  expect(cart.lines).toContainEqual(expect.objectContaining({ variantId: line?.variant_id }))
  const { body: garage } = await shop.call('getGarage', { as: rider })
  expect(garage.bikes).toContainEqual(expect.objectContaining({ id: Number(bike?.bike_id) }))

  const history = {
    brands: await readRows(version, 'public.brand_changes', ['kind', 'brand', 'chart']),
    bikes: await readRows(version, 'public.bike_changes', ['kind', 'subject']),
  }
  for (const [area, changes] of Object.entries(history)) {
    const { body } = await shop.call('listAudit', { as: admin, query: { area, pageSize: 200 } })
    const recorded = changes.map(({ kind, ...names }) => {
      const name = Object.values(names).filter((each) => each !== '\\N')
      return `${kind} ${name.join(', ')}`
    })
    expect(recorded.length).toBeGreaterThan(10)
    const listed = body.entries.map((entry) => `${entry.kind} ${entry.subject.name}`)
    expect(listed.toSorted()).toEqual(recorded.toSorted())
  }

  const fitments = await readRows(version, 'public.fitments', ['product_id'])
  const { body } = await shop.call('listFitments', { params: { id: fitments[0]?.product_id ?? '' } })
  expect(body.fitments).not.toEqual([])
  const reviews = await readRows(version, 'public.reviews', ['review'])
  expect((await shop.call('listReviews')).body).toHaveLength(reviews.length)
  const [file] = await readRows(version, 'public.picture_files', ['hash', 'width', 'format'])
  const picture = await fetch(
    `${shop.config.origin}/pictures/uploaded/${file?.hash}-${file?.width}.${file?.format}`,
  )
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, `image/${file?.format}`])
}

describe.each(releases)('a shop of version %s', (version) => {
  let database: TestDatabase
  let shop: TestShop | undefined
  let old: Awaited<ReturnType<typeof unpackMigrations>>

  beforeAll(async () => {
    old = await unpackMigrations(version)
    database = await openTestDatabase({ poolSize: 4 })
    await recreateSchemas(database)
  })
  afterAll(async () => {
    await shop?.close()
    await database.close()
    old.remove()
  })

  /** Opens this version on the database, which migrates it. */
  async function open(): Promise<TestShop> {
    shop = await openTestShop({ databaseUrl: database.url })
    return shop
  }

  test('is upgraded, with its orders, carts, fitments and pictures', async () => {
    // The tables as that version has created them.
    await restore(database, toBackup(version), { migrations: old.target })
    const files = readMigrations(old.target).map(({ name }) => name)
    expect(await listRecords(database)).toEqual(expect.arrayContaining(files))
    const before = await digest(database)
    expect(await check(database)).toEqual([
      0,
      expect.stringMatching(
        /^The database (is up to date|can be upgraded.* will apply 2026.* can continue until new features are used)\.$/,
      ),
    ])
    expect(await digest(database)).toEqual(before)

    const upgraded = await open()
    await expectEverything(version, upgraded)
    expect(await brokenRules(database.db)).toEqual([])
    await aProduct(upgraded)
    expect(await brokenRules(database.db)).toEqual([])
  })

  test('can continue on the upgraded database', async () => {
    await requireSchema(database.db, old.target)
    expect(await migrate(database, old.target)).toEqual([])
  })

  test('has a backup that can be restored', async () => {
    await shop?.close()
    shop = undefined
    await restore(database, toBackup(version), { replace: true })
    await expectEverything(version, await open())
    expect(await brokenRules(database.db)).toEqual([])
    await requireSchema(database.db, old.target)
  })
})

describe('a database of the version before the baseline', () => {
  let database: TestDatabase
  let old: Awaited<ReturnType<typeof unpackMigrations>>

  beforeAll(async () => {
    old = await unpackMigrations(beforeBaseline)
    database = await openTestDatabase({ poolSize: 4 })
    await recreateSchemas(database)
    await migrate(database, old.target)
  })
  afterAll(async () => {
    await database.close()
    old.remove()
  })

  const changes: [who: string, change: string, sentence: string][] = [
    [
      'an older version',
      "delete from migrations where name = '20261123074100_bike_references.sql'",
      'The database is too old: it lacks the migration 20261123074100_bike_references.sql. Run npm run migrate with version 0.1.0 (commit 705b3b9) first, then with this one. Nothing was changed.',
    ],
    [
      'a version with another file',
      "update migrations set checksum = 'x' where name = '0001_baseline.sql'",
      'The database is too old: it was created before version 0.1.0 (commit 705b3b9), by a different 0001_baseline.sql. No later version can upgrade it. Export the products with the version that created it, and import them with this one into an empty database or data folder. Nothing was changed.',
    ],
    [
      'a version with more files',
      "insert into migrations (name, checksum) values ('0001_shop.sql', 'x')",
      'The database is too old: it was created before version 0.1.0 (commit 705b3b9), by a different 0001_shop.sql. No later version can upgrade it. Export the products with the version that created it, and import them with this one into an empty database or data folder. Nothing was changed.',
    ],
  ]

  test.each(changes)('is refused with the records of %s, and not changed', async (_, change, sentence) => {
    const rollBack = new Error('rolled back')
    const work = database.db.transaction().execute(async (tx) => {
      await sql.raw(change).execute(tx)
      await expect(findPending(tx, migrations)).rejects.toThrow(sentence)
      await expect(migrateWithin(tx, migrations)).rejects.toThrow(sentence)
      throw rollBack
    })
    await expect(work).rejects.toBe(rollBack)
  })

  test('is refused by npm run migrate -- --check with exit code 1', async () => {
    await sql`update migrations set name = 'x' || name where name like '0001%'`.execute(database.db)
    expect(await check(database)).toEqual([1, expect.stringMatching(/^The database .*\.$/)])
    await sql`update migrations set name = substr(name, 2) where name like 'x%'`.execute(database.db)
  })

  test('is accepted with the former version of a corrected file, and gets the schema of a new one', async () => {
    const replaced = await describeSchema(database)
    const former = 'b68671c24f82dc5b05d2be5361ff5296aacb40f204cdc951508034f2ae929da4'
    await sql`update migrations set checksum = ${former} where name = '20261122172000_variants.sql'`.execute(
      database.db,
    )
    expect(await migrate(database, migrations)).toContain(baseline)
    const upgraded = await describeSchema(database)

    await recreateSchemas(database)
    await database.db
      .transaction()
      .execute((tx) => migrateWithin(tx, migrations, [{ name: baseline, checksum: '' }]))
    expect(await listRecords(database)).toEqual([baseline])
    expect(await describeSchema(database)).toEqual(replaced)
    await migrate(database, migrations)
    expect(await describeSchema(database)).toEqual(upgraded)
  })
})

test('npm run migrate -- --check says that there is nothing to do, or that the database is empty', async () => {
  const database = await openTestDatabase()
  try {
    expect(await check(database)).toEqual([0, 'The database is up to date.'])
    await recreateSchemas(database)
    expect(await check(database)).toEqual([
      0,
      'The database is empty: npm run migrate will create its tables.',
    ])
    expect((await database.pool.query("select to_regclass('public.migrations') as found")).rows).toEqual([
      { found: null },
    ])
  } finally {
    await database.close()
  }
})

test('a column that a newer version adds does not break a transaction of this one', async () => {
  // One connection, which has prepared the statement.
  const database = await openTestDatabase()
  const running = createDatabase(database.url, { poolSize: 1 })
  try {
    const lock = () => running.db.transaction().execute((tx) => lockOrder(tx, 'absent'))
    expect(await lock()).toBeUndefined()
    await sql`alter table orders add column next_version text`.execute(database.db)
    expect(await lock()).toBeUndefined()
  } finally {
    await running.close()
    await database.close()
  }
})
