import { expect, test } from 'vitest'
import type { Bike } from '../../contract/bikes.ts'
import type { Product } from '../../contract/catalog.ts'
import { describeBike, describeMake, findListBike } from './fit-sentences.ts'

const bike = { id: 1, name: '2009 Yamaha YZF-R6' } as Bike
const model = { make: 'yamaha', model: 'yzf-r6', name: 'Yamaha YZF-R6', years: [2010, 2009], rest: '' }
const read = { ...model, bikes: [2, 1], isOtherYear: false }
const list = { total: 3, products: [], matching: '', others: [], bike: null, read: null, fit: [] }
const others = (...fits: string[]) => ({ total: 0, others: fits.map((fit) => ({ fit })) })

test.each([
  ['parts that fit', { bike }, 'Parts that fit the …. '],
  ['another fit', { bike, fit: ['universal'], matching: 'oil' }, 'Parts for the … matching “oil”. '],
  ['a model', { read }, 'Parts for the …. Each fits at least one year; choose yours to be sure:'],
  ['no parts', { bike, ...others('unconfirmed') }, 'No parts here are confirmed to fit the …. '],
  [
    'no parts with its words',
    { bike, total: 0, matching: 'oil' },
    'No parts here matching “oil” are confirmed to fit the …. ',
  ],
  ['gear only', { bike, ...others('gear') }, 'Gear fits any bike, including the …. '],
  [
    'universal parts and gear',
    { bike, ...others('universal', 'gear') },
    'No parts here are confirmed to fit the …. Universal parts fit most bikes. Gear fits any bike. ',
  ],
])('a list for a bike with %s', (_, more, sentence) => {
  const { before, after, years } = describeBike({ ...list, ...more }) ?? {}
  expect(`${before}…${after} ${years}`).toBe(sentence)
})

test('a list without a bike has no sentence about one', () => expect(describeBike(list)).toBeNull())

test.each([
  [[], false, 'Parts for … matching “pads”; each fits at least one model.'],
  [[], true, 'No parts matching “pads” are listed for ….'],
  [['gear'], true, 'Gear fits any bike, including ….'],
  [['universal'], true, 'No parts matching “pads” are made for … only. Universal parts fit most bikes.'],
  [
    ['vehicle', 'gear'],
    true,
    'No parts matching “pads” are listed for …. Gear fits any bike. Compare the part number.',
  ],
] as const)('a list for a make with the fit kinds %j, ignored: %s', (fitKinds, isIgnored, sentence) => {
  const products = fitKinds.map((fitKind) => ({ fitKind }) as Product)
  const { before, after } = describeMake({ ...list, products, matching: 'pads' }, { isIgnored })
  expect(`${before}…${after}`).toBe(sentence)
})

test('a list is for the chosen bike, or for the only one that its words name', () => {
  expect(findListBike({ bike, read: null })).toBe(1)
  expect(findListBike({ bike: null, read: { ...read, bikes: [2] } })).toBe(2)
  expect(findListBike({ bike: null, read })).toBeNull()
  expect(findListBike({ bike: null, read: { ...read, bikes: [2], isOtherYear: true } })).toBeNull()
  expect(findListBike({ bike: null, read: null })).toBeNull()
})
