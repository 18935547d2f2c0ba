import { afterAll, beforeAll, expect, test } from 'vitest'
import { fitChoices } from '../../../../contract/product-filters.ts'
import { aBike, aProduct } from '../../../../tests/factories.ts'
import { openTestShop, refused, type TestShop } from '../../../../tests/shop.ts'
import { addBikeAliases, findBikeSearch } from '../../bikes/service.ts'
import { findFits, saveFitments } from '../../fitment/service.ts'
import { listProducts } from '../service.ts'
import { countFacets, searchMisfits } from './search.ts'

let shop: TestShop
let bikes: number[]
let products: string[]

beforeAll(async () => {
  shop = await openTestShop()
  const k6 = { make: 'Hayashi', model: 'K6' }
  bikes = [
    await aBike(shop, { ...k6, year: 2012 }),
    await aBike(shop, { ...k6, year: 2012, version: 'ABS' }),
    await aBike(shop, { ...k6, year: 2013 }),
    await aBike(shop, { make: 'Hayashi', model: 'Town 50', year: 2012 }),
  ]
  await addBikeAliases(shop.db, [{ ...k6, alias: 'kay' }])
  const model = { make: 'hayashi', model: 'k6' }
  products = await Promise.all(
    [
      { fitments: [{ ...model, yearFrom: 2010, yearTo: 2012 }] },
      { fitments: [{ ...model, yearFrom: 2012, yearTo: 2013, version: 'abs' }] },
      { fitments: [{ ...model, yearFrom: 2013, yearTo: 2015 }], complete: true },
      { fitments: [] },
      { fitKind: 'universal' as const, fitments: [] },
      { fitKind: 'gear' as const, fitments: [] },
    ].map(async ({ fitments, complete = false, fitKind = 'vehicle' as const }, index) => {
      const id = await aProduct(shop, { name: `Brake part ${index}`, kind: 'Brakes' })
      await saveFitments(shop.db, id, { fitKind, complete, fitments }, null)
      return id
    }),
  )
})
afterAll(() => shop.close())

const list = async (query: Record<string, string | number | string[]>) => {
  const { body } = await shop.call('listProducts', { query })
  return body.map(({ _id }) => products.indexOf(_id)).toSorted((a, b) => a - b)
}

test('list, counts and answer for one product agree, for each bike and each choice of fit', async () => {
  for (const bike of bikes) {
    const fits = await findFits(
      shop.db,
      products.map((productId) => ({ productId, bikeId: bike })),
    )
    const having = (...answers: string[]) =>
      fits.flatMap((fit, index) => (answers.includes(fit?.answer ?? '') ? index : []))
    const expected = {
      fits: having('fits'),
      some: having('fits_some'),
      universal: having('universal'),
      gear: having('gear'),
      unconfirmed: having('not_confirmed'),
    }
    expect(await list({ bike })).toEqual(expected.fits)
    for (const fit of fitChoices) expect(await list({ bike, fit }), fit).toEqual(expected[fit])
    expect(await list({ bike, fit: ['some', 'universal'], q: 'brake' })).toEqual(
      having('fits_some', 'universal'),
    )
    const { body } = await shop.call('countProducts', { query: { bike } })
    expect(body.total).toBe(expected.fits.length)
    const exactly = (count: number) => ({ count, estimated: false })
    expect(body.fit).toEqual({
      fits: exactly(expected.fits.length),
      some: exactly(expected.some.length),
      universal: exactly(1),
      unconfirmed: exactly(having('not_confirmed').length),
    })
    for (const query of [{}, { q: 'brake' }, { kind: ['Brakes'] }]) {
      const misfits = await searchMisfits(shop.db, { ...query, bikes: [bike] }, 10)
      expect(misfits.map((id) => products.indexOf(id))).toEqual(having('does_not_fit'))
    }
    expect(await searchMisfits(shop.db, { q: 'chain', bikes: [bike] }, 10)).toEqual([])
    expect(await searchMisfits(shop.db, { kind: ['Chains'], bikes: [bike] }, 10)).toEqual([])
  }
})

test('a part that fits one year of a model is not listed for some versions of another year', async () => {
  const [year2012 = 0, , year2013 = 0] = bikes
  const id = await aProduct(shop, { name: 'Brake part of two years' })
  const model = { make: 'hayashi', model: 'k6' }
  const fitments = [
    { ...model, yearFrom: 2012, yearTo: 2012, version: 'ABS' },
    { ...model, yearFrom: 2013, yearTo: 2013 },
  ]
  await saveFitments(shop.db, id, { fitKind: 'vehicle', complete: false, fitments }, null)
  const query = { bikes: [year2012, year2013], q: 'two years' }
  const listed = async (fit: 'fits' | 'some') =>
    (await listProducts(shop.db, { ...query, fit: [fit] })).rows.map((row) => row.id)
  expect([await listed('fits'), await listed('some')]).toEqual([[id], []])
  const { fit } = await countFacets(shop.db, query)
  expect(fit).toMatchObject({ fits: { count: 1 }, some: { count: 0 }, unconfirmed: { count: 0 } })
  await shop.db.updateTable('products').set({ hidden: true }).where('id', '=', id).execute()
})

test('a kind whose parts all have a complete list has parts that do not fit', async () => {
  const id = await aProduct(shop, { name: 'Fork seal', kind: 'Seals' })
  const fitments = [{ make: 'hayashi', model: 'k6', yearFrom: 2013, yearTo: 2013 }]
  await saveFitments(shop.db, id, { fitKind: 'vehicle', complete: true, fitments }, null)
  const misfits = (bike = 0) => searchMisfits(shop.db, { kind: ['Seals'], bikes: [bike] }, 8)
  expect(await misfits(bikes[0])).toEqual([id])
  expect(await misfits(bikes[2])).toEqual([])
})

test('an unknown bike is an error, and so is a fit that needs one', async () => {
  for (const bike of ['0', '-1', 'abc', '2147483648', '999999', "1' | 2"]) {
    expect(await shop.call('listProducts', { query: { bike } })).toMatchObject(refused('BIKE_NOT_FOUND'))
    expect(await shop.call('countProducts', { query: { bike } })).toMatchObject(refused('BIKE_NOT_FOUND'))
  }
  expect(await shop.call('listProducts', { query: { fit: 'fits' } })).toMatchObject(
    refused('INVALID_REQUEST'),
  )
  expect(await shop.call('listProducts', { query: { fit: 'maybe' } })).toMatchObject(
    refused('INVALID_REQUEST'),
  )
  expect(await list({ fit: 'universal' })).toEqual([4])
  expect((await shop.call('countProducts')).body.fit).toBeUndefined()
})

test('the words of a search name a bike, all years of a model, a version, a model without the year, or none', async () => {
  const [any, abs, next] = bikes
  const read = async (text: string) => (await findBikeSearch(shop.db, text))?.read
  const k6 = { make: 'hayashi', model: 'k6', isOtherYear: false, rest: 'brake' }
  expect(await read('2012 k6 brake')).toEqual({
    ...k6,
    name: '2012 Hayashi K6',
    bikes: [any],
    years: [2012],
  })
  const withAbs = { ...k6, name: '2012 Hayashi K6 ABS', bikes: [abs], years: [2012] }
  expect(await read('K6 2012 ABS brake')).toEqual(withAbs)
  expect(await read('k6 abs brake')).toEqual(withAbs)
  const allYears = { ...k6, name: 'Hayashi K6', bikes: [next, any], years: [2013, 2012] }
  expect(await read('hayashi kay')).toEqual({ ...allYears, rest: '' })
  expect(await read('1999 k6 brake')).toEqual({ ...allYears, isOtherYear: true })
  expect(await read('2012 town 50')).toMatchObject({ name: '2012 Hayashi Town 50' })
  expect(await read('kay brake')).toBeUndefined()
})
