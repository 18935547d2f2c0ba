import { expect, test } from 'vitest'
import { bikePath, toBikeSlug } from '../../contract/bike-urls.ts'
import { bikes } from '../../seed/bikes.ts'
import { kinds } from '../../seed/kinds.ts'
import { products } from '../../seed/products.ts'
import { isFulfilled, readResultPage } from './result-page.ts'
import { type Expectation, riderQueries } from './rider-queries.ts'

const expectations = riderQueries.map((query) => query.expect)
const listWords = (...texts: string[]) => texts.flatMap((text) => text.toLowerCase().split(/[^a-z0-9-]+/))

test('431 queries differ, and each group of the first 300 has as many held-out ones as others', () => {
  expect(riderQueries).toHaveLength(431)
  expect(new Set(riderQueries.map(({ q }) => q.toLowerCase())).size).toBe(431)
  expect(riderQueries.filter(({ set, fails }) => fails && set === 'held-out')).toEqual([])
  const first = riderQueries.filter(({ group }) => group !== 'second list')
  expect(first).toHaveLength(300)
  const halves = [...Map.groupBy(first, ({ group }) => group)].map(([group, queries]) => {
    const heldOut = queries.filter(({ set }) => set === 'held-out').length
    const tuning = queries.filter(({ set }) => set === 'tuning').length
    return [group, heldOut, tuning]
  })
  expect(halves).toEqual(halves.map(([group, heldOut]) => [group, heldOut, heldOut]))
})

test('each query expects kinds, products or bike pages of the demo shop, or a word that it does not have', () => {
  const names = products.map(({ name }) => name)
  const known = {
    kinds: Object.values<string>(kinds),
    products: names,
    bikePage: bikes.flatMap(({ make, model }) => [
      bikePath(toBikeSlug(make)),
      bikePath(toBikeSlug(make), toBikeSlug(model)),
    ]),
  }
  const listUnknown = (key: keyof typeof known) =>
    expectations
      .flatMap((expectation) => expectation[key] ?? [])
      .filter((value) => !known[key].includes(value))
  expect(listUnknown('kinds')).toEqual([])
  expect(listUnknown('products')).toEqual([])
  expect(listUnknown('bikePage')).toEqual([])

  const words = listWords(...names, ...bikes.flatMap(({ make, model }) => [make, model]))
  expect(expectations.filter(({ names }) => names && words.includes(names))).toEqual([])
  const keys = [...Object.keys(known), 'names']
  const isEmpty = (value: unknown) => (!Array.isArray(value) ? !value : value.length === 0)
  const isWrong = (each: Expectation) =>
    Object.keys(each).length === 0 ||
    Object.entries(each).some(([key, value]) => !keys.includes(key) || isEmpty(value))
  expect(expectations.filter(isWrong)).toEqual([])
})

const ids = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(24))
const shop = new Map(
  ids.map((_id, index) => [
    _id,
    { _id, name: `Grauwerk Pads ${index}`, kind: index === 3 ? 'Chains' : 'Brake pads' },
  ]),
)
const card = (id: string) => `<li><article><a href="/product/${id}/pads?bike=3">Pads</a></article></li>`
const page = (above: string, below = '') =>
  readResultPage(
    `<a href="/bikes/ktm"></a><main>${above}<ul>${ids.map(card).join('')}</ul>${below}</main>`,
    'mt-07 pads',
    shop,
  )
const isOn = (expectation: Expectation, { top, whole }: ReturnType<typeof page>) => [
  isFulfilled(expectation, top),
  isFulfilled(expectation, whole),
]

test('a page has its products in order, and the links above the first one at the top', () => {
  const list = page(
    '<a class="x" href="/bikes/yamaha/yzf-r6?q=r6">R6</a>',
    '<a href="/bikes/honda">Honda</a>',
  )
  expect(isOn({ kinds: ['Brake pads'] }, list)).toEqual([true, true])
  expect(isOn({ kinds: ['Chains'] }, list)).toEqual([false, true])
  expect(isOn({ products: ['Pads 3'] }, list)).toEqual([false, true])
  expect(isOn({ kinds: ['Brake pads'], bikePage: '/bikes/yamaha' }, list)).toEqual([true, true])
  expect(isOn({ bikePage: '/bikes/honda' }, list)).toEqual([false, true])
  expect(isOn({ kinds: ['Brake pads'], bikePage: '/bikes/ktm' }, list)).toEqual([false, false])
})

test('a page names a word only in a sentence with a negation that does not repeat the whole search text', () => {
  const named = page('<p>We don&#x27;t know the <b>MT-07</b>. 3 brake pads</p>')
  expect(isOn({ names: 'mt07' }, named)).toEqual([true, true])
  expect(isOn({ names: 'brake' }, named)).toEqual([false, false])
  expect(isOn({ names: 'mt-07' }, page('<p>No results for “mt-07 pads”.</p>'))).toEqual([false, false])
  expect(isOn({ names: 'mt-07' }, page('<p>2 parts for the MT-07.</p>'))).toEqual([false, false])
})
