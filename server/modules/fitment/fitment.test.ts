import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EditedFitment, EditedFitments } from '../../../contract/fitments.ts'
import { untilWaiting } from '../../../tests/database.ts'
import { aBike, anAdmin, aProduct } from '../../../tests/factories.ts'
import { useCustomer, useTestShop } from '../../../tests/shop.ts'
import { addBikeAliases, addBikes } from '../bikes/service.ts'
import { saveFitments } from './service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))
let productId: string

beforeEach(async () => {
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

describe('GET /v1/fits', () => {
  const fits = (product: string | string[], bike: number | string) =>
    shop.call('listFits', { query: { product, bike: String(bike) } })

  test('returns the answer of each product that the shop has', async () => {
    const bike = await aBike(shop)
    const other = await aProduct(shop, { kind: 'Brake pads' })
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

  test('asks no question about bikes until a product has a kind or fitments, as GET /v1/fitment', async () => {
    const bike = await aBike(shop)
    const ofOtherYears = { ...k6, yearFrom: 2013 }
    const ask = async (product: string) => {
      const { body } = await fits(product, bike)
      const { answer, needsNoBike } = (await fit(bike, product)).body
      expect(body.fits).toEqual([{ product, answer, ...(needsNoBike && { needsNoBike }) }])
      return [answer, needsNoBike]
    }
    expect(await ask(productId)).toEqual(['not_confirmed', true])
    expect(await ask(await aProduct(shop, { kind: 'Brake pads' }))).toEqual(['not_confirmed', undefined])
    await save({ fitments: [ofOtherYears] })
    expect(await ask(productId)).toEqual(['not_confirmed', undefined])
    await save({ fitKind: 'universal' })
    expect(await ask(productId)).toEqual(['universal', undefined])
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

  test('accepts the other names of a model, but not twice under two names', async () => {
    await aBike(shop)
    await addBikeAliases(shop.db, [{ make: 'Hayashi', model: 'K6', alias: 'big six' }])
    const saved = await save({ fitments: [{ ...k6, model: 'big-six' }] })
    expect(saved).toMatchObject({ status: 200, body: { fitments: [k6] } })
    expect(await save({ fitments: [k6, { ...k6, model: 'bigsix' }] })).toMatchObject({
      status: 400,
      body: { fields: { 'fitments.1.model': 'This fitment is in the list twice' } },
    })
  })

  test('saves the same list without a change', async () => {
    await aBike(shop)
    const { body: first } = await save({ fitments: [{ ...k6, note: 'Not with ABS' }] })
    const { body: second } = await save(first)
    expect(second).toEqual(first)
    const { rows } = await sql`select from product_changes where kind = 'edited'`.execute(shop.db)
    expect(rows).toHaveLength(1)
  })

  test('saves the same list again, even with an old revision', async () => {
    await aBike(shop)
    const { body } = await list()
    const edited = { fitments: [k6], revision: (body as EditedFitments).revision }
    const { body: saved } = await save(edited)
    expect(await save(edited)).toMatchObject({ status: 200, body: saved })
    expect(await save({ ...edited, complete: true })).toMatchObject({ status: 409 })
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

  test('never gets the revision of a list that is newer than its own', async () => {
    await aBike(shop)
    const { reply } = await shop.db.transaction().execute(async (tx) => {
      await sql`lock table products in access exclusive mode`.execute(tx)
      await saveFitments(tx, productId, { fitKind: 'vehicle', complete: false, fitments: [k6] }, null)
      // The revision waits for the lock, and then includes the change.
      const reply = list()
      await untilWaiting(shop)
      return { reply }
    })
    expect((await reply).body).toMatchObject({ total: 1, fitments: [k6] })
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
    expect(await save({ fitments: undefined, revision })).toMatchObject({ status: 200 })
    expect(await save({ fitments: undefined, complete: true, revision })).toMatchObject({ status: 409 })
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

  test('returns PRODUCT_NOT_FOUND for an unknown product', async () => {
    const body = { fitKind: 'gear', complete: false, fitments: [], revision: '' }
    const saved = await shop.call('saveFitments', { params: { id: 'none' }, body, as: admin })
    expect(saved).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } })
  })
})

describe('PUT /v1/fit-kinds', () => {
  const set = (kind: string, fitKind: string) =>
    shop.call('setFitKind', { body: { kind, fitKind }, as: admin })
  const count = async () => (await shop.call('listFitKinds', { as: admin })).body.kinds

  test('sets the fit kind of products with this kind of part and without fitments', async () => {
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

  test('changes more products than one batch, even by two admins at the same time', async () => {
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
