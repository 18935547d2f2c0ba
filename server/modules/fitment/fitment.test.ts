import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EditedFitment, EditedFitments } from '../../../contract/fitment.ts'
import {
  aBike,
  aCheckout,
  aCustomer,
  anAdmin,
  aProduct,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { openTestShop, refused, type TestShop } from '../../../tests/shop.ts'
import { addBikeAliases, addBikes, saveFitments } from './service.ts'

let shop: TestShop
let admin: TestCustomer
let productId: string

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  admin = await anAdmin(shop)
  productId = await aProduct(shop)
})

const k6: EditedFitment = { make: 'hayashi', model: 'k6', yearFrom: 2010, yearTo: 2014 }

const fit = (bike: number | string, product = productId) =>
  shop.call('getFit', { query: { product, bike: String(bike) } })
const list = (query = {}) => shop.call('listFitments', { params: { id: productId }, query })

async function save(edited: Partial<EditedFitments>) {
  const { body } = await list()
  const { revision } = body as EditedFitments
  return shop.call('saveFitments', {
    params: { id: productId },
    body: { fitKind: 'vehicle', complete: false, fitments: [], revision, ...edited },
    as: admin,
  })
}

describe('GET /v1/bikes/search', () => {
  const search = async (q: string) => {
    const { body } = await shop.call('searchBikes', { query: { q } })
    return body.matches.map(({ name }) => name)
  }

  beforeEach(async () => {
    const bikes = { Yamaha: ['YZF-R1', 'YZF-R6', 'Ténéré 700'], Honda: ['CBR1000RR'], Suzuki: ['GSX-R750'] }
    for (const [make, models] of Object.entries(bikes)) {
      for (const model of models) for (const year of [2009, 2020]) await aBike(shop, { make, model, year })
    }
    await aBike(shop, { make: 'Hayashi', model: 'K6', year: 2012, version: 'ABS' })
    await addBikeAliases(shop.db, [
      { make: 'Yamaha', model: 'Ténéré 700', alias: 'T7' },
      { make: 'Suzuki', model: 'GSX-R750', alias: 'gixxer' },
    ])
  })

  test.each([
    ['2009 r6', ['2009 Yamaha YZF-R6']],
    ['r6 2009', ['2009 Yamaha YZF-R6']],
    ['YAMAHA yzf-r6', ['Yamaha YZF-R6']],
    ['r1', ['Yamaha YZF-R1']],
    ['r', ['Suzuki GSX-R750', 'Yamaha YZF-R1', 'Yamaha YZF-R6']],
    ['cbr1', ['Honda CBR1000RR']],
    ['1000rr', ['Honda CBR1000RR']],
    ['r7', ['Suzuki GSX-R750']],
    ['t7', ['Yamaha Ténéré 700']],
    ['t 7', ['Yamaha Ténéré 700']],
    ['tenere 2020', ['2020 Yamaha Ténéré 700']],
    ['gsxr 750', ['Suzuki GSX-R750']],
    ['suzuki gix', ['Suzuki GSX-R750']],
    ['2012 yamaha r6', ['Yamaha YZF-R6']],
    ['2012 k6', ['2012 Hayashi K6']],
    ['2012 k6 abs', ['2012 Hayashi K6']],
    ["k6 '12 ABS", ['2012 Hayashi K6']],
    ['k6 sp', []],
    ['2009 r6 abs', []],
    ['2009', []],
    ['honda r6', []],
    ["'%_\\ ☃", []],
    ['', []],
    // A word counts once, and a text with more than eight names no bike.
    ['y r6 2009 y y y y y y y y', ['2009 Yamaha YZF-R6']],
    ['y ya yam yama yamah y yz yzf r6', ['Yamaha YZF-R6']],
    ['y ya yam yama yamah yamaha yz yzf r6', []],
  ])('%j finds %j', async (q, names) => {
    expect(await search(q)).toEqual(names)
  })

  test('returns the slugs and the year, at most 20', async () => {
    const { body } = await shop.call('searchBikes', { query: { q: 'r6 2009' } })
    expect(body.matches).toEqual([
      { make: 'yamaha', model: 'yzf-r6', year: 2009, name: '2009 Yamaha YZF-R6' },
    ])
    for (let number = 10; number < 35; number++) await aBike(shop, { make: 'Oda', model: `N${number}` })
    expect(await search('oda')).toHaveLength(20)
    expect(await shop.call('searchBikes', { query: { q: 'x'.repeat(101) } })).toMatchObject({ status: 400 })
  })
})

describe('GET /v1/fits', () => {
  const fits = (product: string | string[], bike: number | string) =>
    shop.call('listFits', { query: { product, bike: String(bike) } })

  test('returns the answer of each product that the shop has', async () => {
    const bike = await aBike(shop)
    const other = await aProduct(shop)
    await save({ fitments: [k6] })
    const { body } = await fits([other, productId, 'unknown', productId], bike)
    const answers = [
      { product: productId, answer: 'fits' },
      { product: other, answer: 'not_confirmed' },
    ]
    expect(body.fits).toHaveLength(2)
    expect(body.fits).toEqual(expect.arrayContaining(answers))
    expect((await fits(productId, bike)).body).toEqual({ fits: [answers[0]] })
  })

  test('refuses unknown bikes and more than 40 products', async () => {
    const bike = await aBike(shop)
    for (const unknown of ['0', 'abc', '-1', '2147483648']) {
      expect(await fits(productId, unknown)).toMatchObject({ status: 404, body: { code: 'BIKE_NOT_FOUND' } })
    }
    const ids = Array.from({ length: 41 }, (_, index) => `p${index}`)
    expect((await fits(ids, bike)).status).toBe(400)
    expect((await fits(ids.slice(1), bike)).body).toEqual({ fits: [] })
  })
})

describe('GET /v1/bikes', () => {
  test('lists makes, then models with their years, then bikes from the newest to the oldest', async () => {
    await aBike(shop, { year: 2012, version: 'ABS' })
    const newest = await aBike(shop, { year: 2013 })
    await aBike(shop, { make: 'Oda', model: 'Ronin 9' })
    const { body: makes } = await shop.call('listBikes')
    expect(makes).toEqual({
      makes: [
        { make: 'hayashi', name: 'Hayashi' },
        { make: 'oda', name: 'Oda' },
      ],
    })
    const { body: models } = await shop.call('listBikes', { query: { make: 'hayashi' } })
    expect(models).toMatchObject({ models: [{ model: 'k6', name: 'K6', years: [2013, 2012] }] })
    const { body: bikes } = await shop.call('listBikes', { query: { make: 'hayashi', model: 'k6' } })
    expect(bikes).toMatchObject({
      bikes: [
        { id: newest, make: 'hayashi', model: 'k6', year: 2013, version: '', name: '2013 Hayashi K6' },
        { version: '', name: '2012 Hayashi K6' },
        { version: 'ABS', name: '2012 Hayashi K6 ABS' },
      ],
    })
  })

  test.each([
    [{ make: 'none' }, 404, 'BIKE_NOT_FOUND'],
    [{ make: 'hayashi', model: 'none' }, 404, 'BIKE_NOT_FOUND'],
    [{ model: 'k6' }, 400, 'INVALID_REQUEST'],
    [{ make: ['a', 'b'] }, 400, 'INVALID_REQUEST'],
    [{ make: "x'\\ \u0000" }, 404, 'BIKE_NOT_FOUND'],
  ])('%j is an error', async (query, status, code) => {
    await aBike(shop)
    expect(await shop.call('listBikes', { query })).toMatchObject({ status, body: { code } })
  })
})

describe('POST /v1/bikes', () => {
  const add = (body: object) =>
    shop.call('addBikes', { as: admin, body: { make: 'Yamaha', model: 'YZF-R6', yearFrom: 2009, ...body } })

  test('adds the bikes that the shop does not have, with other names of the model', async () => {
    const first = await add({ yearTo: 2010, version: 'SP', engineCc: 599, aliases: 'R6; yzf r6' })
    expect(first.body).toEqual({ make: 'yamaha', model: 'yzf-r6', added: 4 })
    expect((await add({ yearTo: 2011 })).body.added).toBe(1)
    const { bikes = [] } = (await shop.call('listBikes', { query: { make: 'yamaha', model: 'yzf-r6' } })).body
    expect(bikes.map(({ year, version }) => `${year} ${version}`)).toEqual([
      '2011 ',
      '2010 ',
      '2010 SP',
      '2009 ',
      '2009 SP',
    ])
    const { rows } = await sql`select alias_key from bike_aliases order by alias_key`.execute(shop.db)
    expect(rows).toEqual([{ alias_key: 'r6' }, { alias_key: 'yzfr6' }])
  })

  test('the audit has the make, the model, the bikes and the other names that were added', async () => {
    await add({ version: 'SP', aliases: 'R6; yzf r6' })
    await add({ yearFrom: 1900, yearTo: 1960 })
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'bikes' } })).body
    expect(entries.map(({ kind, subject, changes }) => [kind, subject.name, changes])).toEqual([
      [
        'added',
        'Yamaha YZF-R6',
        [{ field: 'bikes', after: expect.stringMatching(/^1900; .*; 1949; and 11 more$/) }],
      ],
      ['edited', 'Yamaha YZF-R6', [{ field: 'aliases', after: 'r6; yzfr6' }]],
      ['added', 'Yamaha YZF-R6', [{ field: 'bikes', after: '2009; 2009 SP' }]],
      ['added', 'Yamaha YZF-R6', [{ field: 'model', after: 'YZF-R6' }]],
      ['added', 'Yamaha', [{ field: 'make', after: 'Yamaha' }]],
    ])
    for (const { by, ip } of entries) {
      expect([by, ip]).toEqual([{ email: admin.email, role: 'admin' }, '127.0.0.1'])
    }
    const ofMake = (await shop.call('listAudit', { as: admin, query: { subject: 'Yamaha' } })).body.entries
    expect(ofMake).toEqual(entries.slice(-1))
  })

  test('may take longer than other calls, because it changes many products', async () => {
    await aBike(shop)
    await save({ fitments: [{ ...k6, yearTo: 2015 }] })
    const adding = await shop.db.transaction().execute(async (tx) => {
      await sql`select from products where id = ${productId} for update`.execute(tx)
      const adding = add({ make: 'Hayashi', model: 'K6', yearFrom: 2015 })
      const waiting = sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect((await waiting.execute(shop.db)).rows).toHaveLength(1), 10_000)
      // This one begins later and waits for the same product.
      expect(await save({ fitments: [] })).toMatchObject({ status: 503 })
      return { response: adding }
    })
    expect(await adding.response).toMatchObject({ status: 200, body: { added: 1 } })
  })

  test('keeps models apart whose names differ by a plus sign', async () => {
    for (const model of ['Tracer 9 GT', 'Tracer 9 GT+']) {
      expect((await add({ model })).body).toMatchObject({ added: 1 })
    }
    const { models } = (await shop.call('listBikes', { query: { make: 'yamaha' } })).body
    expect(models).toMatchObject([
      { model: 'tracer-9-gt', name: 'Tracer 9 GT' },
      { model: 'tracer-9-gt-plus', name: 'Tracer 9 GT+' },
    ])
    const { matches } = (await shop.call('searchBikes', { query: { q: '2009 tracer 9 gt+' } })).body
    expect(matches).toMatchObject([{ model: 'tracer-9-gt-plus', year: 2009 }])
  })

  test('rejects a name without a letter or digit, which has no address', async () => {
    const error = 'A name needs a letter or a digit'
    expect((await add({ make: '+' })).body).toMatchObject({ fields: { make: error } })
    expect((await add({ model: '!!!' })).body).toMatchObject({ fields: { model: error } })
  })

  test('rejects years in the wrong order, a name of another model, and one that cannot be a name', async () => {
    await add({ aliases: 'r6' })
    const [years, taken] = [await add({ yearTo: 2008 }), await add({ model: 'R7', aliases: 'R6' })]
    expect(years).toMatchObject({
      status: 400,
      body: { fields: { yearTo: 'The last year is before the first year' } },
    })
    expect(taken).toMatchObject({
      status: 400,
      body: { fields: { aliases: 'Another bike has this name: r6' } },
    })
    for (const aliases of ['R7; -', 'x'.repeat(41)]) {
      const message = 'A name needs a letter or a digit, and has at most 40 characters'
      expect(await add({ model: 'R7', aliases })).toMatchObject({
        status: 400,
        body: { fields: { aliases: message } },
      })
    }
    for (const [aliases, error] of [
      ['brake; 2009', 'A year cannot be a name'],
      ['Yamaha', 'Another bike has this name: yamaha'],
    ]) {
      expect((await add({ model: 'R7', aliases })).body).toMatchObject({ fields: { aliases: error } })
    }
    expect((await shop.call('listBikes')).body.makes).toHaveLength(1)
    const { models } = (await shop.call('listBikes', { query: { make: 'yamaha' } })).body
    expect(models).toHaveLength(1)
  })
})

describe('DELETE /v1/bikes', () => {
  const remove = (query: { yearFrom: number; yearTo?: number; version?: string; model?: string }) =>
    shop.call('removeBikes', { as: admin, query: { make: 'hayashi', model: 'k6', ...toTexts(query) } })
  const toTexts = (query: object) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const readBikes = async () => {
    const { body } = await shop.call('listBikes', { query: { make: 'hayashi', model: 'k6' } })
    return body.bikes?.map(({ year, version }) => `${year} ${version}`.trim())
  }

  beforeEach(async () => {
    for (const year of [2010, 2011, 2012]) await aBike(shop, { year, version: 'ABS' })
  })

  test('removes one version, or all versions of the years, and the audit has them', async () => {
    expect((await remove({ yearFrom: 2010, version: 'abs' })).body).toEqual({
      removed: 1,
      make: 'hayashi',
      model: 'k6',
    })
    expect((await remove({ yearFrom: 2011, yearTo: 2012 })).body).toMatchObject({ removed: 4 })
    expect(await readBikes()).toEqual(['2010'])
    const { entries } = (
      await shop.call('listAudit', { as: admin, query: { area: 'bikes', by: admin.email } })
    ).body
    expect(entries.map(({ subject, changes }) => [subject.name, changes])).toEqual([
      ['Hayashi K6', [{ field: 'bikes', before: '2011; 2011 ABS; 2012; 2012 ABS' }]],
      ['Hayashi K6', [{ field: 'bikes', before: '2010 ABS' }]],
    ])
  })

  test('the last bike of a model and of a make removes them, so that both can be added again', async () => {
    await aBike(shop, { model: 'K7' })
    await addBikeAliases(shop.db, [{ make: 'Hayashi', model: 'K6', alias: 'sixer' }])
    const years = { yearFrom: 1900, yearTo: 2100 }
    expect((await remove(years)).body).toEqual({ removed: 6, make: 'hayashi' })
    expect((await shop.call('listBikes', { query: { make: 'hayashi' } })).body.models).toMatchObject([
      { model: 'k7' },
    ])
    expect((await remove({ ...years, model: 'k7' })).body).toEqual({ removed: 1 })
    expect((await shop.call('listBikes')).body.makes).toEqual([])
    const { entries } = (
      await shop.call('listAudit', { as: admin, query: { area: 'bikes', by: admin.email } })
    ).body
    expect(entries.slice(0, 1)).toMatchObject([
      { subject: { name: 'Hayashi' }, changes: [{ field: 'make', before: 'Hayashi' }] },
    ])
    await aBike(shop)
    expect(await readBikes()).toEqual(['2012'])
  })

  test('refuses bikes that a fitment, a garage, a cart or an order has, and removes none of them', async () => {
    const all = await readBikes()
    const expectRefused = async () => {
      expect(await remove({ yearFrom: 2010, yearTo: 2012 })).toMatchObject(refused('BIKES_IN_USE'))
      expect(await readBikes()).toEqual(all)
    }
    const { bikes = [] } = (await shop.call('listBikes', { query: { make: 'hayashi', model: 'k6' } })).body
    const bike = bikes.find(({ year, version }) => year === 2011 && version === '')?.id ?? 0
    const rider = await aCustomer(shop)

    await save({ fitments: [{ ...k6, yearFrom: 2012, yearTo: 2012, version: 'ABS' }] })
    await expectRefused()
    expect((await remove({ yearFrom: 2012, version: 'ABS' })).status).toBe(409)
    await save({ fitments: [{ ...k6, yearFrom: 2050, yearTo: 2050 }] })
    await expectRefused()
    await save({ fitments: [] })

    await shop.call('setGarageBike', { as: rider, params: { bikeId: bike }, body: {} })
    await expectRefused()
    await shop.call('removeGarageBike', { as: rider, params: { bikeId: bike } })

    const setLine = (quantity: number) =>
      shop.call('setCartLine', { as: rider, params: { variantId: productId }, body: { quantity, bike } })
    await setLine(1)
    await expectRefused()
    await setLine(0)

    const body = aCheckout([{ variantId: productId, quantity: 1, unitPrice: 40, bike }])
    const order = await shop.call('checkOut', {
      as: rider,
      headers: { 'idempotency-key': randomUUID() },
      body,
    })
    expect(order.status).toBe(200)
    await expectRefused()

    expect((await remove({ yearFrom: 2012 })).body).toMatchObject({ removed: 2 })
  })

  test('refuses wrong years, and bikes that the shop does not have', async () => {
    for (const years of [
      { yearFrom: 2012, yearTo: 2010 },
      { yearFrom: 1899 },
      { yearFrom: 2012, yearTo: 2101 },
    ]) {
      expect((await remove(years)).status).toBe(400)
    }
    for (const unknown of [{ model: 'none' }, { yearFrom: 2013 }, { version: 'SP' }]) {
      expect(await remove({ yearFrom: 2012, ...unknown })).toMatchObject(refused('BIKE_NOT_FOUND'))
    }
    expect(await readBikes()).toHaveLength(6)
  })

  test('a fitment that is added at the same time never covers a removed bike', async () => {
    const products = await Promise.all(Array.from({ length: 6 }, () => aProduct(shop)))
    const years = products.map((_, index) => 2030 + index)
    for (const year of years) await aBike(shop, { year })
    await Promise.all(
      years.flatMap((year, index) => {
        const fitments = [{ ...k6, yearFrom: year, yearTo: year }]
        return [
          remove({ yearFrom: year }),
          saveFitments(
            shop.db,
            products[index] ?? '',
            { fitKind: 'vehicle', complete: false, fitments },
            null,
          ),
        ]
      }),
    )
    const { rows } = await sql<{ covered: number; stored: number }>`
      select cardinality(fits) as covered, (select count(*)::integer from bikes where year = wanted.year) as stored
      from unnest(${products}::text[], ${years}::integer[]) as wanted (id, year) join products using (id)`.execute(
      shop.db,
    )
    expect(rows).toHaveLength(products.length)
    for (const { covered, stored } of rows) expect(covered).toBe(stored)
  })
})

describe('PUT /v1/makes/{make} and its models', () => {
  const slugs = { make: 'yamaha', model: 'yzf-r66' }
  const saveMake = (make: string, name: string) =>
    shop.call('saveMake', { as: admin, params: { make }, body: { name } })
  const saveModel = (body: { name: string; aliases?: string }, params = slugs) =>
    shop.call('saveModel', { as: admin, params, body })
  const readList = async (query: typeof slugs) => (await shop.call('listBikes', { query })).body

  beforeEach(async () => {
    await aBike(shop, { make: 'Yamaha', model: 'YZF-R66', year: 2009 })
    await addBikeAliases(shop.db, [{ make: 'Yamaha', model: 'YZF-R66', alias: 'r66' }])
  })

  test('renames a model, and replaces its other names', async () => {
    expect((await readList(slugs)).aliases).toEqual(['r66'])
    const renamed = { make: 'yamaha', model: 'yzf-r6' }
    const saved = await saveModel({ name: 'YZF-R6', aliases: 'R6; yzf r6' })
    expect(saved).toMatchObject({ status: 200, body: renamed })
    expect(await readList(renamed)).toMatchObject({
      models: [{ model: 'yzf-r6', name: 'YZF-R6' }],
      bikes: [{ name: '2009 Yamaha YZF-R6' }],
      aliases: ['r6', 'yzfr6'],
    })
    expect(await shop.call('listBikes', { query: slugs })).toMatchObject({ status: 404 })
    expect((await shop.call('searchBikes', { query: { q: 'yzf r6' } })).body.matches).toHaveLength(1)
    expect((await saveModel({ name: 'YZF-R6' }, renamed)).status).toBe(200)
    expect((await readList(renamed)).aliases).toEqual([])
  })

  test('renames a make, and new bikes find both by their present names', async () => {
    expect((await saveMake('yamaha', 'Yamaha Motor')).body).toEqual({ make: 'yamaha-motor' })
    await saveModel({ name: 'YZF-R6' }, { make: 'yamaha-motor', model: 'yzf-r66' })
    const body = { make: 'Yamaha Motor', model: 'yzf r6', yearFrom: 2010 }
    await shop.call('addBikes', { as: admin, body })
    const { models } = await readList({ make: 'yamaha-motor', model: 'yzf-r6' })
    expect(models).toEqual([{ model: 'yzf-r6', name: 'YZF-R6', years: [2010, 2009] }])
  })

  test('the audit has the earlier and the present names', async () => {
    await saveMake('yamaha', 'YAMAHA')
    await saveModel({ name: 'YZF-R6', aliases: 'r66; r6' })
    await saveModel({ name: 'YZF-R6', aliases: 'r6' }, { make: 'yamaha', model: 'yzf-r6' })
    const { entries } = (
      await shop.call('listAudit', { as: admin, query: { area: 'bikes', by: admin.email } })
    ).body
    expect(entries.map(({ kind, subject, changes }) => [kind, subject.name, changes])).toEqual([
      ['edited', 'YAMAHA YZF-R6', [{ field: 'aliases', before: 'r66' }]],
      ['edited', 'YAMAHA YZF-R6', [{ field: 'aliases', after: 'r6' }]],
      ['edited', 'YAMAHA YZF-R6', [{ field: 'model', before: 'YZF-R66', after: 'YZF-R6' }]],
      ['edited', 'YAMAHA', [{ field: 'make', before: 'Yamaha', after: 'YAMAHA' }]],
    ])
  })

  test('refuses the name of another make or model, and an unknown one', async () => {
    await aBike(shop, { make: 'Yamaha', model: 'R7' })
    await aBike(shop, { make: 'Honda', model: 'R7' })
    await addBikeAliases(shop.db, [{ make: 'Honda', model: 'R7', alias: 'seven' }])
    const wrong = (fields: Record<string, string>) => ({ status: 400, body: { fields } })
    expect(await saveMake('yamaha', 'HONDA')).toMatchObject(wrong({ name: 'Another make has this name' }))
    expect(await saveModel({ name: 'r7' })).toMatchObject(
      wrong({ name: 'Another model of this make has this name' }),
    )
    expect(await saveModel({ name: 'YZF-R6', aliases: 'Seven' })).toMatchObject(
      wrong({ aliases: 'Another bike has this name: seven' }),
    )
    expect(await saveMake('none', 'None')).toMatchObject(refused('BIKE_NOT_FOUND'))
    expect(await saveModel({ name: 'K6' }, { make: 'yamaha', model: 'none' })).toMatchObject(
      refused('BIKE_NOT_FOUND'),
    )
    expect((await readList(slugs)).aliases).toEqual(['r66'])
  })
})

describe('GET /v1/fitment', () => {
  test('returns the answer with its fitments, and names the bike', async () => {
    const bike = await aBike(shop)
    await save({ fitments: [{ ...k6, position: 'front', pieces: 2, note: 'Not with ABS' }] })
    expect((await fit(bike)).body).toEqual({
      answer: 'fits',
      bike: { id: bike, make: 'hayashi', model: 'k6', year: 2012, version: '', name: '2012 Hayashi K6' },
      fitments: [
        { ...k6, name: 'Hayashi K6', position: 'front', pieces: 2, note: 'Not with ABS', source: 'shop' },
      ],
      versions: [],
    })
  })

  test('asks for the version if only some versions fit', async () => {
    const unstated = await aBike(shop)
    const abs = await aBike(shop, { version: 'ABS' })
    const standard = await aBike(shop, { version: 'Standard' })
    await save({ fitments: [{ ...k6, version: 'abs' }], complete: true })
    expect((await fit(unstated)).body).toMatchObject({ answer: 'fits_some', versions: ['abs'] })
    expect((await fit(abs)).body).toMatchObject({ answer: 'fits', versions: [] })
    expect((await fit(standard)).body).toMatchObject({ answer: 'does_not_fit', versions: ['abs'] })
  })

  test('names the last replacement that is sold', async () => {
    const bike = await aBike(shop)
    const [second, third] = [await aProduct(shop, { name: 'Newer', sku: 'N-1' }), await aProduct(shop)]
    await sql`update products set replaced_by = ${second} where id = ${productId}`.execute(shop.db)
    await sql`update products set replaced_by = ${third} where id = ${second}`.execute(shop.db)
    expect((await fit(bike)).body).toMatchObject({ replacedBy: { _id: third } })
    await shop.call('deleteProduct', { query: { id: third }, as: admin })
    expect((await fit(bike)).body).toMatchObject({
      answer: 'not_confirmed',
      replacedBy: { _id: second, name: 'Newer', sku: 'N-1' },
    })
  })

  test('does not end in a loop of replacements', async () => {
    const bike = await aBike(shop)
    const second = await aProduct(shop)
    await sql`update products set replaced_by = ${second} where id = ${productId}`.execute(shop.db)
    await sql`update products set replaced_by = ${productId} where id = ${second}`.execute(shop.db)
    expect((await fit(bike)).status).toBe(200)
  })

  test.each(['abc', '-1', '0', '1.5', '2147483648', '99999999999', "1'", ''])(
    'bike=%s is BIKE_NOT_FOUND',
    async (bike) => {
      expect(await fit(bike)).toMatchObject({ status: 404, body: { code: 'BIKE_NOT_FOUND' } })
    },
  )

  test('a repeated or missing bike is an invalid request, and an unknown product is not found', async () => {
    const bike = await aBike(shop)
    const query = (query: Record<string, string | string[]>) => shop.call('getFit', { query })
    expect(await query({ product: productId, bike: ['1', '2'] })).toMatchObject({ status: 400 })
    expect(await query({ product: productId })).toMatchObject({ status: 400 })
    expect(await fit(bike, 'none')).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } })
    await shop.call('deleteProduct', { query: { id: productId }, as: admin })
    expect(await fit(bike)).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } })
  })
})

describe('PUT /v1/products/{id}/fitments', () => {
  test('replaces the list, and records what was removed and added', async () => {
    const bike = await aBike(shop)
    await save({ fitments: [k6, { ...k6, yearFrom: 2015, yearTo: 2015, version: 'SP', pieces: 2 }] })
    const { status, body } = await save({ fitments: [k6], complete: true })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { fitKind: 'vehicle', complete: true, total: 1, fitments: [{ ...k6, source: 'shop' }] },
    })
    expect((await fit(bike)).body).toMatchObject({ answer: 'fits' })
    await save({ fitments: [] })
    expect((await fit(bike)).body).toMatchObject({ answer: 'not_confirmed', fitments: [] })

    const { body: audit } = await shop.call('listAudit', { query: { area: 'products' }, as: admin })
    const changes = (audit as { entries: { changes: object[]; by?: object }[] }).entries.map(
      ({ changes }) => changes,
    )
    expect(changes.slice(0, 5)).toEqual([
      [{ field: 'fitments', before: '2010–2014 Hayashi K6' }],
      [{ field: 'fitComplete', before: 'true', after: 'false' }],
      [{ field: 'fitments', before: '2015 Hayashi K6, SP, 2 per bike' }],
      [{ field: 'fitComplete', before: 'false', after: 'true' }],
      [{ field: 'fitments', after: '2010–2014 Hayashi K6; 2015 Hayashi K6, SP, 2 per bike' }],
    ])
  })

  test('saves the same list without a change', async () => {
    await aBike(shop)
    const { body: first } = await save({ fitments: [{ ...k6, note: 'Not with ABS' }] })
    const { body: second } = await save(first)
    expect(second).toEqual(first)
    const { rows } = await sql`select from product_changes where kind = 'edited'`.execute(shop.db)
    expect(rows).toHaveLength(1)
  })

  test('refuses a list that another admin has changed meanwhile', async () => {
    await aBike(shop)
    const { body } = await list()
    const { revision } = body as EditedFitments
    const [first, second] = await Promise.all([
      save({ fitments: [k6], revision }),
      save({ fitments: [{ ...k6, note: 'other' }], revision }),
    ])
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await save({ revision })).toMatchObject({ status: 409, body: { code: 'FITMENTS_CHANGED' } })
  })

  test.each<[string, string, Partial<EditedFitments>]>([
    ['fitments.0.yearTo', 'The last year is before the first year', { fitments: [{ ...k6, yearTo: 2009 }] }],
    ['fitments.1.model', 'The shop does not have this model', { fitments: [k6, { ...k6, model: 'k7' }] }],
    [
      'fitments.1.model',
      'This fitment is in the list twice',
      { fitments: [{ ...k6, source: 'shop', note: 'Not with ABS' }, k6] },
    ],
    ['fitments.0.pieces', 'At most 99', { fitments: [{ ...k6, pieces: 100 }] }],
    ['fitments.0.note', 'At most 300 characters', { fitments: [{ ...k6, note: 'x'.repeat(301) }] }],
    ['fitments.0.confirmedOn', 'This is not a date', { fitments: [{ ...k6, confirmedOn: '2026-02-30' }] }],
    ['fitments', 'At most 500 fitments', { fitments: Array.from({ length: 501 }, () => k6) }],
    ['fitKind', 'Universal parts and gear have no fitments', { fitKind: 'gear', fitments: [k6] }],
    ['complete', 'A complete list needs at least one bike', { complete: true }],
  ])('refuses a wrong %s: %s', async (field, message, edited) => {
    await aBike(shop)
    const { status, body } = await save(edited)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.stringContaining(message) } },
    })
    expect((await list()).body).toMatchObject({ total: 0 })
  })

  test('accepts 500 fitments with long notes', async () => {
    await aBike(shop)
    const fitments = Array.from({ length: 500 }, (_, index) => ({
      ...k6,
      source: `s${index}`,
      note: 'n'.repeat(300),
    }))
    expect(await save({ fitments })).toMatchObject({ status: 200, body: { total: 500 } })
    expect((await list({ page: 3, pageSize: 200 })).body).toMatchObject({ total: 500 })
  })

  test('refuses a list of more than 20,000 bikes', async () => {
    const bikes = Array.from({ length: 101 * 200 }, (_, index) => ({
      make: 'Hayashi',
      model: `K${index % 101}`,
      year: 1900 + Math.floor(index / 101),
      source: 'test',
    }))
    await addBikes(shop.db, bikes)
    const fitments = Array.from({ length: 101 }, (_, index) => ({
      make: 'hayashi',
      model: `k${index}`,
      yearFrom: 1900,
      yearTo: 2100,
    }))
    expect(await save({ fitments })).toMatchObject({ status: 422, body: { code: 'TOO_MANY_BIKES' } })
    expect((await list()).body).toMatchObject({ total: 0 })
  })

  test('without fitments changes the rest of a list that is too long for one request', async () => {
    const bike = await aBike(shop)
    await save({ fitments: [{ ...k6, yearFrom: 2013 }] })
    await sql`
      insert into fitments (product_id, model_id, year_from, year_to, source)
      select product_id, model_id, year_from, year_to, 's' || number
      from fitments, generate_series(1, 500) as number`.execute(shop.db)
    expect((await fit(bike)).body).toMatchObject({ answer: 'not_confirmed' })
    const { body } = await save({ fitments: undefined, complete: true })
    expect(body).toMatchObject({ complete: true, total: 501 })
    expect((await fit(bike)).body).toMatchObject({ answer: 'does_not_fit' })

    const { revision } = body
    const [first, second] = await Promise.all([
      save({ fitments: undefined, revision }),
      save({ fitments: undefined, revision }),
    ])
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await save({ fitments: undefined, fitKind: 'gear' })).toMatchObject({
      status: 400,
      body: { fields: { fitKind: 'Universal parts and gear have no fitments. Remove them first' } },
    })
    await save({ fitments: [] })
    expect(await save({ fitments: undefined, complete: true })).toMatchObject({
      status: 400,
      body: { fields: { complete: 'A complete list needs at least one bike' } },
    })
  })

  test('of a product that is not there is PRODUCT_NOT_FOUND', async () => {
    const body = { fitKind: 'gear', complete: false, fitments: [], revision: '' }
    const saved = await shop.call('saveFitments', { params: { id: 'none' }, body, as: admin })
    expect(saved).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } })
  })
})

describe('PUT /v1/fit-kinds', () => {
  const set = (kind: string, fitKind: string) =>
    shop.call('setFitKind', { body: { kind, fitKind }, as: admin })
  const count = async () => (await shop.call('listFitKinds', { as: admin })).body.kinds

  test('sets the fit kind of the products of a kind of part that have no fitments', async () => {
    const bike = await aBike(shop)
    const helmet = await aProduct(shop, { kind: 'Helmets' })
    const deleted = await aProduct(shop, { kind: 'Helmets' })
    await shop.call('deleteProduct', { query: { id: deleted }, as: admin })
    const disc = await aProduct(shop, { kind: 'Brake discs' })
    await sql`update products set kind = 'Helmets' where id = ${productId}`.execute(shop.db)
    await save({ fitments: [k6] })
    expect(await count()).toEqual([
      { kind: 'Brake discs', vehicle: 1, universal: 0, gear: 0 },
      { kind: 'Helmets', vehicle: 2, universal: 0, gear: 0 },
    ])

    expect(await set(' Helmets ', 'gear')).toMatchObject({ status: 200, body: { changed: 1, skipped: 1 } })
    expect(await count()).toEqual([
      { kind: 'Brake discs', vehicle: 1, universal: 0, gear: 0 },
      { kind: 'Helmets', vehicle: 1, universal: 0, gear: 1 },
    ])
    const answers = [helmet, productId, disc].map(async (id) => (await fit(bike, id)).body)
    expect(await Promise.all(answers)).toMatchObject([
      { answer: 'gear' },
      { answer: 'fits' },
      { answer: 'not_confirmed' },
    ])
    const { entries } = (await shop.call('listAudit', { query: { subject: helmet }, as: admin })).body
    expect(entries[0]).toMatchObject({
      kind: 'edited',
      by: { email: admin.email },
      changes: [{ field: 'fitKind', before: 'vehicle', after: 'gear' }],
    })

    expect((await set('Helmets', 'gear')).body).toEqual({ changed: 0, skipped: 1 })
    expect((await set('Helmets', 'universal')).body).toEqual({ changed: 1, skipped: 1 })
    expect((await set('Helmets', 'vehicle')).body).toEqual({ changed: 1, skipped: 0 })
    expect((await set('Gloves', 'gear')).body).toEqual({ changed: 0, skipped: 0 })
  })

  test('changes more products than one batch, also by two admins at the same time', async () => {
    await sql`
      insert into products (id, name, kind, price_cents, stock, minimum_quantity, description, image)
      select 'g' || number, 'Glove', 'Gloves', 100, 1, 1, '', '' from generate_series(1, 1200) as number`.execute(
      shop.db,
    )
    const [first, second] = await Promise.all([set('Gloves', 'gear'), set('Gloves', 'gear')])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body.changed + second.body.changed).toBe(1200)
    expect(await count()).toEqual([{ kind: 'Gloves', vehicle: 0, universal: 0, gear: 1200 }])
    const { rows } = await sql`select from product_changes where after ? 'fit_kind'`.execute(shop.db)
    expect(rows).toHaveLength(1200)
  })

  test('never makes gear of a product that gets a fitment at the same time', async () => {
    await aBike(shop)
    await sql`update products set kind = 'Mirrors' where id = ${productId}`.execute(shop.db)
    const { revision } = (await list()).body
    const [saved, changed] = await Promise.all([
      save({ fitments: [k6], revision }),
      set('Mirrors', 'universal'),
    ])
    const { fitKind, total } = (await list()).body
    const [isSaved, isChanged] = [saved.status === 200, changed.body.changed === 1]
    expect(isSaved).toBe(!isChanged)
    expect([fitKind, total]).toEqual(isSaved ? ['vehicle', 1] : ['universal', 0])
  })

  test.each([
    ['kind', { kind: ' ', fitKind: 'gear' }],
    ['fitKind', { kind: 'Helmets', fitKind: 'bike' }],
  ])('refuses a wrong %s', async (field, body) => {
    const refused = await shop.call('setFitKind', { body, as: admin })
    expect(refused).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
  })
})

describe('derived data', () => {
  test('a new bike is found at once under the products whose fitments cover it', async () => {
    await aBike(shop, { year: 2012 })
    await save({ fitments: [{ ...k6, yearTo: 2100 }] })
    const bike = await aBike(shop, { year: 2015 })
    const { rows } = await sql`
      select id from products where document @@ ${`':bike:${bike}'`}::tsquery`.execute(shop.db)
    expect(rows).toEqual([{ id: productId }])
  })

  test('the document has the terms of the bikes and of the fit kind', async () => {
    const unstated = await aBike(shop)
    const abs = await aBike(shop, { version: 'ABS' })
    const terms = async () => {
      const { rows } = await sql<{ terms: string[] }>`
        select array(select term from unnest(tsvector_to_array(document)) as term where term like ':%' order by term) as terms
        from products where id = ${productId}`.execute(shop.db)
      return rows[0]?.terms
    }
    expect(await terms()).toEqual([':fit:open'])
    await save({ fitments: [{ ...k6, version: 'ABS' }], complete: true })
    expect(await terms()).toEqual([`:bike:${abs}`, `:some:${unstated}`])
    await save({ fitKind: 'gear' })
    expect(await terms()).toEqual([':fit:gear'])
  })

  test('fitments and bikes that are added at the same time find each other', async () => {
    await aBike(shop, { year: 2000 })
    const products = await Promise.all(Array.from({ length: 8 }, () => aProduct(shop)))
    await Promise.all([
      ...products.map((id) =>
        saveFitments(
          shop.db,
          id,
          { fitKind: 'vehicle', complete: false, fitments: [{ ...k6, yearFrom: 2001, yearTo: 2008 }] },
          null,
        ),
      ),
      ...products.map((_, index) => aBike(shop, { year: 2001 + index })),
    ])
    const { rows } = await sql<{ bikes: number }>`
      select cardinality(fits) as bikes from products where id = any(${products})`.execute(shop.db)
    expect(rows).toEqual(products.map(() => ({ bikes: 8 })))
  })
})
