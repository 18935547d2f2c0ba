import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxSuggestions } from '../../../contract/suggestions.ts'
import { aBike, aProduct } from '../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'
import { addBikeAliases } from '../bikes/service.ts'
import { saveFitments } from '../fitment/service.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
  for (const year of [2008, 2009, 2010]) await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year })
  for (const model of ['MT-07', 'MT-09']) await aBike(shop, { make: 'Yamaha', model })
  await aBike(shop, { make: 'Oda', model: 'Yam 5' })
  await aBike(shop, { make: 'Suzuki', model: 'GSX-R600', year: 2024 })
  await addBikeAliases(shop.db, [{ make: 'Yamaha', model: 'YZF-R6', alias: 'R6' }])
  await aProduct(shop, { name: 'Sintered pads', kind: 'Brake pads', brand: 'Grauwerk', sku: 'GRA-0047' })
  for (let index = 1; index <= 10; index += 1) {
    await aProduct(shop, { name: `Chain ${index}`, kind: 'Chains', brand: 'Chainworks' })
  }
})
afterAll(() => shop.close())

const suggest = async (q: string) => {
  const { body } = await shop.call('suggest', { query: { q } })
  return body.suggestions.map(({ type, name, number, path }) => [type, name, number ?? path])
}

test('suggests bikes, kinds, brands and products, at most eight', async () => {
  expect(await suggest('2009 r6')).toEqual([['bike', '2009 Yamaha YZF-R6', '/bikes/yamaha/yzf-r6/2009']])
  const chains = await suggest('chain')
  expect(chains).toHaveLength(maxSuggestions)
  expect(chains.slice(0, 2)).toEqual([
    ['kind', 'Chains', '/products?kind=Chains'],
    ['brand', 'Chainworks', '/products?brand=Chainworks'],
  ])
  expect(await suggest('brakepads')).toContainEqual(['kind', 'Brake pads', '/products?kind=Brake+pads'])
  expect(await suggest('gra00')).toContainEqual(['product', 'Sintered pads', 'GRA-0047'])
  expect(await suggest('')).toEqual([])
  expect(await suggest('%_')).toEqual([])
})

describe('bikes in the text', () => {
  const r6 = ['bike', '2009 Yamaha YZF-R6', '/bikes/yamaha/yzf-r6/2009']
  const anyR6 = ['bike', 'Yamaha YZF-R6, 2008–2010', '/bikes/yamaha/yzf-r6']
  const yamaha = ['make', 'Yamaha', '/bikes/yamaha']
  const pads = ['product', 'Racing pads', expect.stringMatching(/^\/product\//)]
  const parts = (name: string, q: string, kind?: string) => [
    'parts',
    name,
    `/products?${new URLSearchParams({ q, ...(kind && { kind }) })}`,
  ]
  const brakePads = (owner: string, q: string) => parts(`Brake pads for ${owner}`, q, 'Brake pads')

  beforeAll(async () => {
    const id = await aProduct(shop, { name: 'Racing pads', kind: 'Brake pads' })
    const fitment = { make: 'yamaha', model: 'yzf-r6', yearFrom: 2008, yearTo: 2010 }
    await saveFitments(shop.db, id, { fitKind: 'vehicle', complete: false, fitments: [fitment] }, null)
  })

  test.each([
    // A make, and a model of another make that begins like it.
    ['yam', [yamaha, ['bike', 'Oda Yam 5', '/bikes/oda/yam-5']]],
    ['Yamaha', [yamaha]],
    [
      'yamaha mt',
      [
        ['bike', 'Yamaha MT-07', '/bikes/yamaha/mt-07'],
        ['bike', 'Yamaha MT-09', '/bikes/yamaha/mt-09'],
      ],
    ],
    // Misspelled.
    ['yamha', [yamaha]],
    ['yamha r6 09', [r6]],
    ['2009 yamha r6 brake pads', [brakePads('the 2009 Yamaha YZF-R6', '2009 yamaha r6 brake pads'), pads]],
    // Parts for a bike or a make, while they are typed and beside words that say nothing.
    ['2009 r6 brake pads', [brakePads('the 2009 Yamaha YZF-R6', '2009 r6 brake pads'), pads]],
    ['2009 r6 bra', [brakePads('the 2009 Yamaha YZF-R6', '2009 r6 bra'), pads]],
    ['yamaha brake pads', [brakePads('Yamaha', 'yamaha brake pads'), yamaha, pads]],
    ['parts for a 2009 r6', [parts('Parts for the 2009 Yamaha YZF-R6', 'parts for a 2009 r6')]],
    ['2009 r6 racing', [parts('Parts matching “racing” for the 2009 Yamaha YZF-R6', '2009 r6 racing'), pads]],
    // No such part, or no such year.
    ['2009 r6 saddle', []],
    ['2024 r6', [anyR6, ['bike', '2024 Suzuki GSX-R600', '/bikes/suzuki/gsx-r600/2024']]],
    ['2024 r6 saddle', [anyR6]],
    ['2024 r6 brake pads', [brakePads('the Yamaha YZF-R6, 2008–2010', '2024 r6 brake pads'), pads]],
  ])('%j', async (q, expected) => {
    expect(await suggest(q)).toEqual(expected)
  })
})
