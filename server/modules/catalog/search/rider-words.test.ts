import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBike, aProduct } from '../../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../../tests/shop.ts'
import { findBikeLoosely, findBikeSearch, requireBike } from '../../bikes/service.ts'
import { saveFitments } from '../../fitment/service.ts'
import { createPublicQueries, listProducts } from '../service.ts'
import type { SearchQuery } from './search.ts'
import { readTerms } from './synonyms.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
  await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2009 })
  await aBike(shop, { make: 'Yamaha', model: 'Fat Bob', year: 2009 })
  await aBike(shop, { make: 'Harley-Davidson', model: 'Sportster', year: 2009 })
  const pads = await aProduct(shop, { name: 'Sintered pads', kind: 'Brake pads' })
  const fitments = [{ make: 'yamaha', model: 'yzf-r6', yearFrom: 2009, yearTo: 2009 }]
  await saveFitments(shop.db, pads, { fitKind: 'vehicle', complete: false, fitments }, null)
  await aProduct(shop, { name: 'Amber lamp', kind: 'Indicators' })
  await aProduct(shop, { name: 'Touring trousers', kind: 'Trousers', variants: [{ size: 'L', quantity: 1 }] })
  await aProduct(shop, { name: 'Battery 12 V', kind: 'Batteries' })
  await aProduct(shop, { name: 'Yamaha touch-up paint', kind: 'Paints' })
  await aProduct(shop, { name: 'Track gloves', kind: 'Gloves', variants: [{ size: 'XL', quantity: 1 }] })
  await aProduct(shop, { name: 'Sports screen cleaner', kind: 'Care' })
  await aProduct(shop, { name: 'Rain overall', kind: 'Rainwear', options: 'standard' })
  await aProduct(shop, { name: 'Steel pannier', kind: 'Panniers' })
  for (const size of ['180/55 ZR17', '180/55-17', '180/55 ZR16', '160/55 ZR17']) {
    await aProduct(shop, { name: `Sport tyre ${size}`, kind: 'Tyres' })
  }
  await aProduct(shop, { name: 'Corvine cloth', kind: 'Cloths', brand: 'Corvane' })
  await aProduct(shop, { name: 'Corvine wax', kind: 'Waxes', brand: 'Halden' })
})
afterAll(() => shop.close())

async function find(q: string, more: Partial<SearchQuery> = { mayDrop: true }) {
  const { rows, searchedFor, unknown, size, missingSize } = await listProducts(shop.db, { q, ...more })
  return { names: rows.map(({ name }) => name), searchedFor, unknown, size, missingSize }
}

const findYamaha = async () => {
  const bikes = shop.db.selectFrom('bikes').innerJoin('models', 'models.id', 'model_id').select('bikes.id')
  return (await bikes.where('models.slug', '=', 'yzf-r6').executeTakeFirstOrThrow()).id
}

describe('words of riders', () => {
  test.each([
    ['turn signals', 'Amber lamp'],
    ['turnsignal', 'Amber lamp'],
    ['amber blinker', 'Amber lamp'],
    ['brakepads', 'Sintered pads'],
    ['Bremsbeläge', 'Sintered pads'],
    ['pants', 'Touring trousers'],
    ['side cases', 'Steel pannier'],
    ['12v battery', 'Battery 12 V'],
  ])('%s', async (q, name) => {
    expect((await find(q, {})).names).toEqual([name])
  })

  test.each(['180/55-17', '180/55/17', '180 55 17', '180/55R17', '180/55 zr 17', 'sport tyre 180/55 17'])(
    'the size of a tyre: %s',
    async (q) => {
      expect((await find(q, {})).names).toEqual(['Sport tyre 180/55 ZR17', 'Sport tyre 180/55-17'])
    },
  )

  test('a year behind a model is not read as the size of a tyre', () => {
    expect(readTerms('450 2023')).toEqual([{ text: '450 2023', others: [] }])
  })

  test('a misspelled one is corrected to a synonym', async () => {
    expect(await find('blinkre')).toMatchObject({ names: ['Amber lamp'], searchedFor: 'blinker' })
  })

  test('a synonym that an admin has added', async () => {
    expect((await find('kneepants', {})).names).toEqual([])
    await shop.db
      .insertInto('synonyms')
      .values({ id: randomUUID(), phrases: ['knee pants', 'trousers'] })
      .execute()
    expect((await find('kneepants', {})).names).toEqual(['Touring trousers'])
    await shop.db.deleteFrom('synonyms').execute()
  })
})

describe('a text that no product has', () => {
  test('is read with a size', async () => {
    expect(await find('trousers size L', {})).toMatchObject({ names: ['Touring trousers'], size: 'L' })
    expect(await find('trousers xxl')).toMatchObject({ names: ['Touring trousers'], missingSize: 'XXL' })
    expect((await find('trousers xxl', {})).names).toEqual([])
  })

  test.each(['trousers xxl xyzzy', 'xyzzy trousers xxl', 'trousers size xxl xyzzy'])(
    'is read without a size that no product has: %s',
    async (q) => {
      expect(await find(q)).toEqual({
        names: ['Touring trousers'],
        searchedFor: 'trousers',
        missingSize: 'XXL',
      })
    },
  )

  test('has no missing size if its products have none', async () => {
    expect(await find('battery xl xyzzy')).toMatchObject({ names: ['Battery 12 V'], missingSize: undefined })
  })

  test('has a standard size, or no size of a removed variant', async () => {
    expect(await find('overall size XL', {})).toMatchObject({ names: ['Rain overall'], size: 'XL' })
    expect(await find('overall size 43')).toMatchObject({ names: ['Rain overall'], missingSize: '43' })
    const { body } = await shop.call('countProducts', { query: { q: 'gloves XL' } })
    expect(body.total).toBe(1)
    const variants = shop.db.updateTable('variants').where('size', '=', 'XL')
    await variants.set({ removed_at: sql`now()` }).execute()
    expect((await find('gloves XL', {})).names).toEqual([])
    await variants.set({ removed_at: null }).execute()
  })

  test('keeps synonyms and brands, which are near other words', async () => {
    expect((await find('yamaha pants', {})).names).toEqual([])
    expect((await find('corvene wax', {})).names).toEqual(['Corvine wax'])
    expect((await find('corvane wax', {})).names).toEqual([])
  })

  test('loses the words that no product has, then those that most have', async () => {
    expect(await find('2021 mt-07 brake pads')).toMatchObject({
      names: ['Sintered pads'],
      searchedFor: 'brake pads',
      unknown: ['mt-07'],
    })
    expect(await find('amber gloves')).toMatchObject({ names: ['Track gloves'], unknown: [] })
    expect((await find('amber gloves', {})).names).toEqual([])
    expect((await find('mt-07')).names).toEqual([])
  })

  test('is corrected beside a word that is too long to correct', async () => {
    const { names, unknown } = await find(`${'a'.repeat(41)} gloves trakc`)
    expect([names, unknown]).toEqual([['Track gloves'], ['a'.repeat(41)]])
  })

  test('is read as its part number, if a product has exactly this number', async () => {
    const own = await aProduct(shop, { name: 'Slotted rotor', kind: 'Rotors', sku: 'GRA-D00015' })
    await aProduct(shop, { name: 'Wave rotor', kind: 'Rotors', sku: 'GRA-D99' })
    const number = { kind: 'oem', maker: 'Honda', number: '45251-MFJ' } as const
    await shop.db
      .insertInto('part_numbers')
      .values({ product_id: own, ...number })
      .execute()
    for (const [q, searchedFor] of [
      ['Halden GRA-D00015', 'GRA-D00015'],
      ['gra-d00015, gloves size XL', 'gra-d00015'],
      ['1x (45251-MFJ) track glovse', '45251-MFJ'],
    ] as const) {
      expect(await find(q), q).toMatchObject({ names: ['Slotted rotor'], searchedFor, unknown: undefined })
      expect((await find(q, {})).names, q).not.toContain('Slotted rotor')
    }
    const make = { words: 'Yamaha', models: [] }
    expect((await find('pads GRA-D00015', { make, mayDrop: true })).names).not.toContain('Slotted rotor')
    // The product does not fit this bike, which the sintered pads do. The page lists it behind the products that fit.
    const bikes = [await findYamaha()]
    const forBike = await find('Halden GRA-D00015', { bikes, fit: ['fits'], mayDrop: true })
    expect(forBike).toMatchObject({ names: [], searchedFor: 'GRA-D00015', unknown: undefined })
    // The beginning of a number is a word that no product has.
    expect(await find('gloves GRA-D0001')).toMatchObject({ names: ['Track gloves'], unknown: ['GRA-D0001'] })
    const queries = createPublicQueries(shop.db)
    const { list } = await queries.productsAndFacets({ q: 'Halden 45251-MFJ', mayDrop: true })
    expect(list.products[0]?.matchedNumber).toContain('Honda 45251-MFJ')
  })

  test('loses words that say nothing about a part, although they are near others', async () => {
    await aProduct(shop, { name: 'Belt cloth', kind: 'Cloths' })
    const { names, searchedFor } = await find('best cloth')
    expect([names.toSorted(), searchedFor]).toEqual([['Belt cloth', 'Corvine cloth'], 'cloth'])
  })

  test('loses the words of a question without a note', async () => {
    expect(await find('which battery do i need')).toMatchObject({ searchedFor: 'battery', unknown: [] })
  })

  test('loses single words of a phrase with synonyms that no product has', async () => {
    expect(await find('battery tender')).toMatchObject({ names: ['Battery 12 V'], unknown: ['tender'] })
    await aProduct(shop, { name: 'Trickle charger', kind: 'Chargers' })
    expect(await find('battery tender 7a')).toMatchObject({ names: ['Trickle charger'], unknown: ['7a'] })
  })

  test('loses a corrected word before a kind of part', async () => {
    await aProduct(shop, { name: 'Fork oil 10W', kind: 'Oils' })
    await aProduct(shop, { name: 'Work light', kind: 'Lights' })
    expect(await find('fork oil weight')).toMatchObject({ names: ['Fork oil 10W'], searchedFor: 'fork oil' })
  })

  test('keeps its numbers, which are not near other numbers', async () => {
    expect(await find('1b0')).toMatchObject({ names: [], searchedFor: undefined })
  })

  test('keeps the name of a model, which is near another word', async () => {
    expect((await find('sportsta', {})).searchedFor).toBe('sports')
    expect((await find('sportster', {})).names).toEqual([])
  })
})

describe('a make', () => {
  const read = async (text: string) => (await findBikeSearch(shop.db, text))?.make

  test('has its models, and the words beside it', async () => {
    expect(await read('yamaha brake pads')).toMatchObject({
      make: 'yamaha',
      models: [{ model: 'fat-bob' }, { model: 'yzf-r6' }],
      rest: 'brake pads',
    })
    expect(await read('harley pads')).toMatchObject({ make: 'harley-davidson', rest: 'pads' })
    expect(await read('yamaha yzf pads')).toMatchObject({ models: [{ model: 'yzf-r6' }], rest: 'pads' })
    expect(await read('brake pads')).toBeUndefined()
  })

  test('or a bike beside words that say nothing about a part is searched with all its parts', async () => {
    expect(await read('Yamaha Motorcycle Parts')).toMatchObject({ make: 'yamaha', rest: '' })
    expect(await read('best yamaha yzf parts')).toMatchObject({ models: [{ model: 'yzf-r6' }], rest: '' })
    expect(await read('yamaha paint parts')).toMatchObject({ rest: 'paint parts' })
    expect((await findBikeSearch(shop.db, '2009 yzf-r6 parts'))?.read).toMatchObject({ rest: '' })
    expect((await findBikeSearch(shop.db, 'yzf-r6 kit'))?.read).toMatchObject({ rest: 'kit' })
  })

  test('needs its whole name if the first word has another meaning', async () => {
    await aBike(shop, { make: 'Can-Am', model: 'Spyder', year: 2009 })
    await aBike(shop, { make: 'Gas Gas', model: 'EC 300', year: 2009 })
    await aBike(shop, { make: 'Super', model: 'Cub', year: 2009 })
    expect([await read('end can'), await read('gas cap')]).toEqual([undefined, undefined])
    expect(await read('can-am pads')).toMatchObject({ make: 'can-am', rest: 'pads' })
    expect(await read('gasgas pads')).toMatchObject({ make: 'gas-gas', rest: 'pads' })
    expect(await read('super pads')).toMatchObject({ make: 'super', rest: 'pads' })
  })

  test('limits a search to its models, or to its own words', async () => {
    const { modelIds = [] } = (await read('yamaha')) ?? {}
    const make = { words: 'Yamaha', models: modelIds }
    const all = (await find('', { make })).names
    expect(all.toSorted()).toEqual(['Sintered pads', 'Yamaha touch-up paint'])
    expect((await find('pads', { make })).names).toEqual(['Sintered pads'])
    expect((await find('gloves', { make })).names).toEqual([])
    const paint = shop.db.updateTable('products').where('name', '=', 'Yamaha touch-up paint')
    await paint.set({ fit_kind: 'universal' }).execute()
    expect((await find('', { make })).names.toSorted()).toEqual(all.toSorted())
    expect((await find('paint', { make })).names).toEqual(['Yamaha touch-up paint'])
    await paint.set({ fit_kind: 'vehicle' }).execute()
    const { body } = await shop.call('countProducts', { query: { q: 'pads' } })
    expect(body.total).toBe(1)
  })

  test('a misspelled name, or a model that is another word, counts if nothing else matches', async () => {
    expect(await findBikeSearch(shop.db, 'fat bob')).toBeNull()
    expect((await findBikeLoosely(shop.db, 'fat bob'))?.read).toMatchObject({ name: '2009 Yamaha Fat Bob' })
    expect((await findBikeLoosely(shop.db, 'yamha r6'))?.make ?? null).toMatchObject({ make: 'yamaha' })
    expect(await findBikeLoosely(shop.db, 'kickstand')).toBeNull()
  })

  test('two digits beside a model are a year of it', async () => {
    expect((await findBikeSearch(shop.db, 'yzf-r6 09 pads'))?.read).toMatchObject({
      name: '2009 Yamaha YZF-R6',
      rest: 'pads',
    })
    expect((await findBikeSearch(shop.db, 'yzf-r6 12 v'))?.read).toMatchObject({ rest: '12 v' })
  })

  test('is not read in the name of another brand', async () => {
    await aBike(shop, { make: 'Royal Enfield', model: 'Himalayan', year: 2009 })
    expect(await read('royal purple oil')).toBeUndefined()
    expect(await read('royal enfield oil')).toMatchObject({ make: 'royal-enfield', rest: 'oil' })
  })
})

describe('the words beside a chosen bike', () => {
  const readFor = async (text: string, year = 2009) => {
    const own = { ...(await requireBike(shop.db, await findYamaha())), year }
    const { read, make, isOwn } = (await findBikeSearch(shop.db, text, own)) ?? {}
    return [isOwn, (read ?? make)?.rest]
  }

  test('may name the same bike, its model or its make', async () => {
    for (const text of ['yzf-r6 pads', '2009 yzf-r6 pads', 'yamaha pads', 'yamaha yzf pads']) {
      expect([text, ...(await readFor(text))]).toEqual([text, true, 'pads'])
    }
  })

  test('may name another bike, year or make', async () => {
    for (const text of ['harley pads', '2009 sportster pads', '2024 yzf-r6 pads', 'yamaha bob pads']) {
      expect([text, ...(await readFor(text))]).toEqual([text, false, 'pads'])
    }
    expect(await readFor('2009 yzf-r6 pads', 2010)).toEqual([false, 'pads'])
  })

  test('name a model of all years if the shop does not have the year', async () => {
    expect((await findBikeSearch(shop.db, '2024 yzf-r6 pads'))?.read).toMatchObject({
      name: 'Yamaha YZF-R6',
      years: [2009],
      isOtherYear: true,
      rest: 'pads',
    })
  })

  test('are not dropped if gear or universal parts have them in another spelling', async () => {
    await aProduct(shop, { name: 'Full-face helmet', kind: 'Helmets', fitKind: 'gear' })
    const bikes = [await findYamaha()]
    expect(await find('hemlet', { bikes, mayDrop: true })).toMatchObject({ names: [], searchedFor: 'helmet' })
    expect(await find('gloves xyzzy', { bikes, mayDrop: true })).toMatchObject({
      names: ['Sintered pads'],
      searchedFor: '',
    })
  })
})
