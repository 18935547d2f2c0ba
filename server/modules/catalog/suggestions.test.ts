import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxSuggestions } from '../../../contract/suggestions.ts'
import { aBike, aProduct } from '../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
  await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2009 })
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
