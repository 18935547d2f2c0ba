import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EditedFitment } from '../../../contract/fitments.ts'
import { untilWaiting } from '../../../tests/database.ts'
import { aBike, aCheckout, aCustomer, anAdmin, aProduct } from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { saveFitments } from '../fitment/service.ts'
import { addBikeAliases } from './service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))
let productId: string

beforeEach(async () => {
  productId = await aProduct(shop)
})

const k6: EditedFitment = { make: 'hayashi', model: 'k6', yearFrom: 2010, yearTo: 2014 }

async function save(fitments: EditedFitment[]) {
  const params = { id: productId }
  const { body } = await shop.call('listFitments', { params, query: {} })
  const { revision } = body
  return shop.call('saveFitments', {
    params,
    body: { fitKind: 'vehicle', complete: false, fitments, revision },
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
    ['r6 09', ['2009 Yamaha YZF-R6']],
    ['12 k6 abs', ['2012 Hayashi K6']],
    ['r6 09 10', []],
    ['k6 sp', []],
    ['2009 r6 abs', []],
    ['2009', []],
    ['honda r6', []],
    // Misspelled.
    ['yamha r6 09', ['2009 Yamaha YZF-R6']],
    ['suzuky gixer', ['Suzuki GSX-R750']],
    ['hondas r6', []],
    ["'%_\\ ☃", []],
    ['', []],
    // A word counts once, and a text with more than eight names no bike.
    ['y r6 2009 y y y y y y y y', ['2009 Yamaha YZF-R6']],
    ['y ya yam yama yamah y yz yzf r6', ['Yamaha YZF-R6']],
    ['y ya yam yama yamah yamaha yz yzf r6', []],
  ])('%j finds %j', async (q, names) => {
    expect(await search(q)).toEqual(names)
  })

  test('returns the slugs and the year, at most 20, and the years of the shop instead of another one', async () => {
    const { body } = await shop.call('searchBikes', { query: { q: 'r6 2009' } })
    expect(body.matches).toEqual([
      { make: 'yamaha', model: 'yzf-r6', year: 2009, name: '2009 Yamaha YZF-R6' },
    ])
    const years = async (q: string) =>
      (await shop.call('searchBikes', { query: { q } })).body.matches.map((match) => match.years)
    expect(await years('r6 2012')).toEqual([[2009, 2020]])
    expect(await years("r6 '12")).toEqual([[2009, 2020]])
    expect(await years('r6')).toEqual([undefined])
    expect(await years('2010 k6 abs')).toEqual([[2012]])
    for (let number = 10; number < 35; number++) await aBike(shop, { make: 'Oda', model: `N${number}` })
    expect(await search('oda')).toHaveLength(20)
    expect(await shop.call('searchBikes', { query: { q: 'x'.repeat(101) } })).toMatchObject({ status: 400 })
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
      expect([by, ip]).toMatchObject([{ email: admin.email, role: 'admin', staffRole: 'owner' }, '127.0.0.1'])
    }
    const ofMake = (await shop.call('listAudit', { as: admin, query: { subject: 'Yamaha' } })).body.entries
    expect(ofMake).toEqual(entries.slice(-1))
  })

  test('may take longer than other calls, because it changes many products', async () => {
    await aBike(shop)
    await save([{ ...k6, yearTo: 2015 }])
    const adding = await shop.db.transaction().execute(async (tx) => {
      await sql`select from products where id = ${productId} for update`.execute(tx)
      const adding = add({ make: 'Hayashi', model: 'K6', yearFrom: 2015 })
      await untilWaiting(shop)
      // This one begins later and waits for the same product.
      expect(await save([])).toMatchObject({ status: 503 })
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

    await save([{ ...k6, yearFrom: 2012, yearTo: 2012, version: 'ABS' }])
    await expectRefused()
    expect((await remove({ yearFrom: 2012, version: 'ABS' })).status).toBe(409)
    await save([{ ...k6, yearFrom: 2050, yearTo: 2050 }])
    await expectRefused()
    await save([])

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
      ['edited', 'YAMAHA YZF-R6', [{ field: 'aliases', before: 'r6; r66', after: 'r6' }]],
      [
        'edited',
        'YAMAHA YZF-R6',
        [
          { field: 'aliases', before: 'r66', after: 'r6; r66' },
          { field: 'model', before: 'YZF-R66', after: 'YZF-R6' },
        ],
      ],
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

  test.each([
    ['saving a model', () => saveModel({ name: 'YZF-R6', aliases: 'Seven' })],
    [
      'adding bikes',
      () =>
        shop.call('addBikes', {
          as: admin,
          body: { make: 'Yamaha', model: 'YZF-R66', yearFrom: 2010, aliases: 'Seven' },
        }),
    ],
  ])('%s is refused if another model gets the same name at the same time', async (_what, change) => {
    await aBike(shop, { make: 'Honda', model: 'R7' })
    const { response } = await shop.db.transaction().execute(async (tx) => {
      await addBikeAliases(tx, [{ make: 'Honda', model: 'R7', alias: 'seven' }])
      const response = change()
      await untilWaiting(shop)
      return { response }
    })
    const fields = { aliases: 'Another bike has this name: seven' }
    expect(await response).toMatchObject({ status: 400, body: { fields } })
    expect(await readList(slugs)).toMatchObject({ bikes: [{ year: 2009 }], aliases: ['r66'] })
  })
})
