import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideFit, type FitAnswer, type FitKind } from '../../../contract/fit-answer.ts'
import type { EditedFitment } from '../../../contract/fitments.ts'
import { aBike, aProduct } from '../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'
import { saveFitments } from './service.ts'

/*
 * 200 pairs of a product and a bike. The table is derived by hand from the rules of `decideFit`, not copied from a run. It
 * covers each of the nine rules.
 */

const symbols: Record<string, FitAnswer> = {
  F: 'fits',
  S: 'fits_some',
  N: 'does_not_fit',
  '?': 'not_confirmed',
  U: 'universal',
  G: 'gear',
}

const k6 = { make: 'Hayashi', model: 'K6' }
const odaK6 = { make: 'Oda', model: 'K6' }
/** The columns of the table. */
const bikes: { make: string; model: string; year: number; version?: string }[] = [
  { ...k6, year: 2009 },
  { ...k6, year: 2010 },
  { ...k6, year: 2010, version: 'ABS' },
  { ...k6, year: 2010, version: 'SP' },
  { ...k6, year: 2014 },
  { ...k6, year: 2014, version: 'ABS' },
  { ...k6, year: 2015 },
  { make: 'Hayashi', model: 'Town 50', year: 2010 },
  { ...odaK6, year: 2010 },
  { ...odaK6, year: 2010, version: 'ABS' },
]

const aFitment = (make: string, model: string, yearFrom: number, yearTo: number, version?: string) => ({
  make,
  model,
  yearFrom,
  yearTo,
  ...(version && { version }),
})
const fitsK6 = (yearFrom: number, yearTo: number, version?: string) =>
  aFitment('hayashi', 'k6', yearFrom, yearTo, version)

interface Part {
  name: string
  fitKind?: FitKind
  complete?: boolean
  /** In the order in which the shop lists them. */
  fitments?: EditedFitment[]
  expected: string
}

const parts: Part[] = [
  { name: 'gear', fitKind: 'gear', expected: 'G G G G G G G G G G' },
  { name: 'a universal part', fitKind: 'universal', expected: 'U U U U U U U U U U' },
  { name: 'a part without fitments', expected: '? ? ? ? ? ? ? ? ? ?' },
  { name: 'all versions, open', fitments: [fitsK6(2010, 2014)], expected: '? F F F F F ? ? ? ?' },
  {
    name: 'all versions, complete',
    complete: true,
    fitments: [fitsK6(2010, 2014)],
    expected: 'N F F F F F N N N N',
  },
  { name: 'one version, open', fitments: [fitsK6(2010, 2014, 'ABS')], expected: '? S F ? S F ? ? ? ?' },
  {
    name: 'one version in lower case, complete',
    complete: true,
    fitments: [fitsK6(2010, 2014, 'abs')],
    expected: 'N S F N S F N N N N',
  },
  {
    name: 'all versions of one year, one version of another',
    fitments: [fitsK6(2010, 2010), fitsK6(2014, 2014, 'ABS')],
    expected: '? F F F S F ? ? ? ?',
  },
  {
    name: 'two versions of one year, complete',
    complete: true,
    fitments: [fitsK6(2010, 2010, 'ABS'), fitsK6(2010, 2010, 'SP')],
    expected: 'N S F F N N N N N N',
  },
  {
    name: 'a version that not each year has',
    fitments: [fitsK6(2009, 2015, 'SP')],
    expected: 'S S ? F S ? S ? ? ?',
  },
  {
    name: 'another model, complete',
    complete: true,
    fitments: [aFitment('hayashi', 'town-50', 2000, 2020)],
    expected: 'N N N N N N N F N N',
  },
  {
    name: 'a model of the same name of another make',
    fitments: [aFitment('oda', 'k6', 2010, 2010)],
    expected: '? ? ? ? ? ? ? ? F F',
  },
  {
    name: 'two makes, complete',
    complete: true,
    fitments: [fitsK6(2010, 2010), aFitment('oda', 'k6', 2010, 2010, 'ABS')],
    expected: 'N F F F N N N N S F',
  },
  {
    name: 'one version of all years, complete',
    complete: true,
    fitments: [fitsK6(1900, 2100, 'ABS')],
    expected: 'S S F N S F S N N N',
  },
  {
    name: 'years between those of the bikes, open',
    fitments: [fitsK6(2011, 2013)],
    expected: '? ? ? ? ? ? ? ? ? ?',
  },
  {
    name: 'years between those of the bikes, complete',
    complete: true,
    fitments: [fitsK6(2011, 2013)],
    expected: 'N N N N N N N N N N',
  },
  {
    name: 'overlapping years',
    fitments: [fitsK6(2009, 2012), fitsK6(2010, 2015, 'ABS')],
    expected: 'F F F F S F S ? ? ?',
  },
  {
    name: 'two positions, complete',
    complete: true,
    fitments: [
      { ...fitsK6(2010, 2014, 'ABS'), position: 'rear' },
      { ...fitsK6(2014, 2014), position: 'front', pieces: 2, note: 'Not with steel lines' },
    ],
    expected: 'N S F N F F N N N N',
  },
  {
    name: 'a version without a bike, open',
    fitments: [fitsK6(2010, 2010, 'Standard')],
    expected: '? S ? ? ? ? ? ? ? ?',
  },
  {
    name: 'a version without a bike, complete',
    complete: true,
    fitments: [{ ...fitsK6(2010, 2015, 'Standard'), source: 'catalog' }],
    expected: 'N S N N S N S N N N',
  },
]

let shop: TestShop
let bikeIds: number[]
/** In the order of `parts`. */
const productIds: string[] = []

beforeAll(async () => {
  shop = await openTestShop()
  bikeIds = []
  for (const bike of bikes) bikeIds.push(await aBike(shop, bike))
  for (const { name, fitKind = 'vehicle', complete = false, fitments = [] } of parts) {
    const id = await aProduct(shop, { name })
    await saveFitments(shop.db, id, { fitKind, complete, fitments }, null)
    productIds.push(id)
  }
})
afterAll(() => shop.close())

const toAnswers = (expected: string) => expected.split(' ').map((symbol) => symbols[symbol])

test('there are 200 pairs', () => {
  expect(parts.flatMap(({ expected }) => toAnswers(expected))).toHaveLength(200)
})

test.each(parts)('decides $name: $expected', async (part) => {
  const { fitKind = 'vehicle', complete = false, fitments = [], expected } = part
  const product = productIds[parts.indexOf(part)] ?? ''
  const answers = []
  for (const [index, bike] of bikeIds.entries()) {
    const { body } = await shop.call('getFit', { query: { product, bike: String(bike) } })
    const { year = 0, version = '' } = bikes[index] ?? {}
    expect(body.bike).toMatchObject({ year, version })
    expect(body).toMatchObject({ ...decideFit({ fitKind, fitComplete: complete }, body.bike, fitments) })
    answers.push(body.answer)
  }
  expect(answers).toEqual(toAnswers(expected))
})

test('decides the same for a whole list', async () => {
  for (const [index, bike] of bikeIds.entries()) {
    const { body } = await shop.call('listFits', { query: { product: productIds, bike: String(bike) } })
    const answers = productIds.map((id) => body.fits.find(({ product }) => product === id)?.answer)
    expect(answers).toEqual(parts.map(({ expected }) => toAnswers(expected)[index]))
  }
})
