import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { aBike, anAdmin, aProduct, someSizeChart } from '../../../tests/factories.ts'
import { checkFile, runImport } from '../../../tests/product-import.ts'
import { useCustomer, useTestShop } from '../../../tests/shop.ts'
import type { Actor } from '../../platform/actor.ts'
import { setAuditActor } from '../../platform/database/audit-actor.ts'
import * as bikes from '../bikes/service.ts'
import * as gear from '../catalog/gear/service.ts'

const shop = useTestShop({ trustedProxies: 1 })
const admin = useCustomer(() => anAdmin(shop))
let before: number

beforeEach(async () => {
  await aProduct(shop, { brand: 'Corvane' })
  await aBike(shop)
  await gear.saveSizeChart(shop.db, 'c1', someSizeChart, null)
  before = (await listChanges()).length
})

const listChanges = () =>
  shop.db
    .selectFrom('changes')
    .select(['area', 'subject', 'name', 'kind', 'before', 'after', 'actor_id', 'client_ip'])
    .orderBy('id')
    .execute()

/** Lists the changes since the test began, and checks who made them. */
async function listRecorded() {
  const recorded = (await listChanges()).slice(before)
  return recorded.map(({ actor_id, client_ip, ...change }) => {
    expect([actor_id, client_ip]).toEqual([admin.id, '192.0.2.7'])
    return [change.area, change.kind, change.name, change.before, change.after]
  })
}

const from = { headers: { 'x-forwarded-for': '192.0.2.7' } }
const hayashi = { make: 'hayashi', model: 'k6' }

describe('each change by an admin is one row, with the values before and after, the actor and the IP:', () => {
  const call = {
    brand: (name: string) =>
      shop.call('saveBrand', { as: admin, params: { name: 'Corvane' }, body: { name }, ...from }),
    chart: (rows = someSizeChart.rows) =>
      shop.call('saveSizeChart', {
        as: admin,
        params: { id: 'c1' },
        body: { ...someSizeChart, rows },
        ...from,
      }),
    model: (name: string, aliases: string) =>
      shop.call('saveModel', { as: admin, params: hayashi, body: { name, aliases }, ...from }),
  }

  test('brand data and size charts', async () => {
    await call.brand('Corvane S.r.l.')
    await call.brand('Corvane S.r.l.')
    await call.brand('Corvane')
    await call.chart([{ size: 'M', values: [[57, 58.5]] }])
    await call.chart([{ size: 'M', values: [[57, 58.5]] }])
    await shop.call('deleteSizeChart', { as: admin, params: { id: 'c1' }, ...from })
    const name = 'Corvane, Full-face helmets'
    expect(await listRecorded()).toMatchObject([
      ['brands', 'edited', 'Corvane', { maker_name: null }, { maker_name: 'Corvane S.r.l.' }],
      ['brands', 'edited', 'Corvane', { maker_name: 'Corvane S.r.l.' }, { maker_name: 'Corvane' }],
      ['brands', 'edited', name, { rows: someSizeChart.rows }, { rows: [{ size: 'M' }] }],
      ['brands', 'deleted', name, { rows: [{ size: 'M' }], unit: 'cm' }, { rows: null, unit: null }],
    ])
  })

  test('a brand with data and a size chart that are new', async () => {
    const body = { ...someSizeChart, brand: 'Halden' }
    await aProduct(shop, { brand: 'Grauwerk' })
    await shop.call('saveSizeChart', { as: admin, params: { id: 'c2' }, body, ...from })
    await shop.call('saveBrand', { as: admin, params: { name: 'Grauwerk' }, body: { name: 'G' }, ...from })
    expect(await listRecorded()).toMatchObject([
      ['brands', 'added', 'Halden, Full-face helmets', { unit: null }, { unit: 'cm', brand: 'Halden' }],
      ['brands', 'added', 'Grauwerk', { maker_name: null }, { maker_name: 'G' }],
    ])
  })

  test('makes, models with their other names, and bikes', async () => {
    const bike = { make: 'Hayashi', model: 'K7', yearFrom: 2012, aliases: 'seven' }
    await shop.call('addBikes', { as: admin, body: bike, ...from })
    await call.model('K6', 'six')
    await call.model('K6', 'six')
    await call.model('K66', '')
    await shop.call('saveMake', { as: admin, params: hayashi, body: { name: 'HAYASHI' }, ...from })
    const years = { yearFrom: '2012', yearTo: '2012' }
    for (const model of ['k7', 'k66']) {
      await shop.call('removeBikes', { as: admin, query: { ...hayashi, model, ...years }, ...from })
    }
    expect(await listRecorded()).toEqual([
      ['bikes', 'added', 'Hayashi K7', { model: null }, { model: 'K7' }],
      ['bikes', 'added', 'Hayashi K7', { bikes: null }, { bikes: '2012' }],
      ['bikes', 'edited', 'Hayashi K7', { aliases: null }, { aliases: 'seven' }],
      ['bikes', 'edited', 'Hayashi K6', { aliases: null }, { aliases: 'six' }],
      ['bikes', 'edited', 'Hayashi K66', { model: 'K6', aliases: 'six' }, { model: 'K66', aliases: null }],
      ['bikes', 'edited', 'HAYASHI', { make: 'Hayashi' }, { make: 'HAYASHI' }],
      ['bikes', 'edited', 'HAYASHI K7', { bikes: '2012' }, { bikes: null }],
      ['bikes', 'edited', 'HAYASHI K7', { model: 'K7', aliases: 'seven' }, { model: null, aliases: null }],
      ['bikes', 'edited', 'HAYASHI K66', { bikes: '2012' }, { bikes: null }],
      ['bikes', 'edited', 'HAYASHI K66', { model: 'K66' }, { model: null }],
      ['bikes', 'edited', 'HAYASHI', { make: 'HAYASHI' }, { make: null }],
    ])
  })

  test('bikes of a file', async () => {
    const file = 'make,model,year_from,engine_cc,aliases\nHayashi,K6,2012,599,six\nOda,Ronin,2020,,\n'
    await runImport(shop, admin, await checkFile(shop, admin, file, 'bikes'))
    const recorded = (await listChanges()).slice(before)
    expect(recorded.map(({ name, after }) => [name, Object.keys(after)])).toEqual([
      ['Oda', ['make']],
      ['Oda Ronin', ['model']],
      ['2012 Hayashi K6', ['engine_cc']],
      ['Hayashi K6', ['aliases']],
      ['Oda Ronin', ['bikes']],
      ['bikes.csv', ['kind', 'added', 'changed']],
    ])
    for (const change of recorded)
      expect(change).toMatchObject({ actor_id: admin.id, client_ip: '127.0.0.1' })
  })
})

describe('a change that cannot be recorded is not made:', () => {
  const stranger: Actor = { customerId: 'absent', ip: null }
  const years = { yearFrom: 2012, yearTo: 2012 }
  const changes: [what: string, change: () => Promise<unknown>][] = [
    ['brand data', () => gear.saveBrand(shop.db, 'Corvane', { name: 'New' }, stranger)],
    ['a size chart', () => gear.saveSizeChart(shop.db, 'c2', { ...someSizeChart, kind: 'Gloves' }, stranger)],
    ['a deleted size chart', () => gear.deleteSizeChart(shop.db, 'c1', stranger)],
    ['bikes', () => bikes.addModelBikes(shop.db, { make: 'Oda', model: 'Ronin', ...years }, stranger)],
    ['a make', () => bikes.saveMake(shop.db, 'hayashi', { name: 'New' }, stranger)],
    ['a model', () => bikes.saveModel(shop.db, hayashi, { name: 'New' }, stranger)],
    ['other names', () => bikes.saveModel(shop.db, hayashi, { name: 'K6', aliases: 'six' }, stranger)],
    ['removed bikes', () => bikes.removeBikes(shop.db, { ...hayashi, ...years }, stranger)],
  ]
  const read = async () => {
    const tables = ['brands', 'size_charts', 'makes', 'models', 'bikes', 'bike_aliases', 'changes']
    const rows = tables.map((table) => sql`select to_jsonb(t) as row from ${sql.table(table)} t order by 1`)
    return Promise.all(rows.map(async (query) => (await query.execute(shop.db)).rows))
  }

  test.each(changes)('%s', async (_what, change) => {
    const stored = await read()
    const error = await change().catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(String((error as Error).cause ?? error)).toContain('changes_actor_id_fkey')
    expect(await read()).toEqual(stored)
  })
})

test('a change by version 1.0.0, which relies on triggers, is one row that it can read', async () => {
  await shop.db.transaction().execute(async (tx) => {
    await setAuditActor(tx, { customerId: admin.id, ip: '192.0.2.7' })
    await sql`insert into brands (name, maker_name) values ('Halden', 'Halden S.r.l.')`.execute(tx)
    await sql`update size_charts set source = 'Label'`.execute(tx)
    await sql`update models set name = 'K66'`.execute(tx)
  })
  const name = 'Corvane, Full-face helmets'
  expect(await listRecorded()).toEqual([
    ['brands', 'added', 'Halden', { maker_name: null }, { maker_name: 'Halden S.r.l.' }],
    ['brands', 'edited', name, { source: someSizeChart.source }, { source: 'Label' }],
    ['bikes', 'edited', 'Hayashi K66', { model: 'K6' }, { model: 'K66' }],
  ])
  const { rows } = await sql<{ rank: number; name: string }>`
    select rank, subject_name as name from audit_changes where rank in (4, 5) and actor_id = ${admin.id}
    order by id`.execute(shop.db)
  expect(rows).toEqual([
    { rank: 4, name: 'Halden' },
    { rank: 4, name },
    { rank: 5, name: 'Hayashi K66' },
  ])
})
