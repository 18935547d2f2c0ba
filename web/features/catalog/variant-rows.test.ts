import { describe, expect, test } from 'vitest'
import { moveRow } from '../../draft-rows.ts'
import {
  addCombinations,
  changeRow,
  rebaseRows,
  splitErrors,
  splitList,
  toRow,
  toVariant,
  withoutChanged,
} from './variant-rows.ts'
import { toBody } from './variants-editor.tsx'

const first = toRow({ id: 'p1', sku: 'P-1', price: 12.5, weight: 900, quantity: 3 })

test('a row keeps all values of a variant', () => {
  const variant = {
    id: 'p1',
    size: 'M',
    colour: 'Red',
    swatch: '#c8261b',
    sku: 'P-1',
    price: 12.5,
    weight: 900,
    shelf: 'B-12-3',
    lowStock: 0,
  }
  expect(toVariant(toRow({ ...variant, quantity: 3 }))).toEqual(variant)
  const blank = { ...first, price: ' ', weight: '', sku: '', shelf: ' ', lowStock: ' ' }
  expect(toVariant(blank)).toEqual({ id: 'p1', shelf: '', lowStock: null })
  expect(toVariant({ ...first, price: '1,000', weight: '30.000', lowStock: '1.500' })).toMatchObject({
    price: '1,000',
    // The contract asks for a whole number.
    weight: 0.5,
    lowStock: 0.5,
  })
})

test.each(['none', 'variants'] as const)(
  'blank shelf and low stock are sent with options "%s"',
  (options) => {
    expect(toBody('p1', { options, rows: [toRow({ id: 'p1', quantity: 3 })] })).toEqual({
      options,
      variants: [{ id: 'p1', shelf: '', lowStock: null }],
    })
    expect(toBody('p1', { options: 'none', rows: [] }).variants).toEqual([
      { id: 'p1', shelf: '', lowStock: null },
    ])
  },
)

describe('sizes and colours', () => {
  test('a list is split by commas, without blanks and duplicates', () => {
    expect(splitList(' S, M,, L ; M\nXL')).toEqual(['S', 'M', 'L', 'XL'])
  })

  test('the first combination fills the row without a choice, and existing ones are not added again', () => {
    const rows = addCombinations([first], ['S', 'M'], ['Black', 'Lime']) ?? []
    expect(rows.map(({ id, size, colour, swatch }) => [id, size, colour, swatch])).toEqual([
      ['p1', 'S', 'Black', '#15171b'],
      [undefined, 'S', 'Lime', ''],
      [undefined, 'M', 'Black', '#15171b'],
      [undefined, 'M', 'Lime', ''],
    ])
    expect(addCombinations(rows, ['S', 'M', 'L'], ['Lime'])).toHaveLength(5)
    expect(new Set(rows.map(({ key }) => key)).size).toBe(4)
  })

  test('only sizes or only colours are combinations too; nothing adds nothing', () => {
    expect(addCombinations([first], ['S', 'M'], [])?.map(({ size }) => size)).toEqual(['S', 'M'])
    expect(addCombinations([first], [], ['Red'])?.map(({ colour }) => colour)).toEqual(['Red'])
    expect(addCombinations([first], [], [])).toEqual([first])
  })

  test('a swatch or picture is set for all sizes of its colour, except those with another one', () => {
    const rows = (addCombinations([first], ['S', 'M', 'L'], ['Lime', 'Black']) ?? []).map((row) =>
      row.size === 'L' ? { ...row, image: '/own.svg' } : row,
    )
    const lime = rows.find(({ colour }) => colour === 'Lime')?.key ?? ''
    const changed = changeRow(rows, lime, { swatch: '#a0d020', image: '/lime.svg' })
    expect(changed.map(({ size, colour, swatch, image }) => [size, colour, swatch, image])).toEqual([
      ['S', 'Lime', '#a0d020', '/lime.svg'],
      ['S', 'Black', '#15171b', ''],
      ['M', 'Lime', '#a0d020', '/lime.svg'],
      ['M', 'Black', '#15171b', ''],
      ['L', 'Lime', '#a0d020', '/own.svg'],
      ['L', 'Black', '#15171b', '/own.svg'],
    ])
    const priced = changeRow(rows, lime, { price: '5' })
    expect(priced.filter(({ price }) => price === '5')).toHaveLength(1)
  })

  test('more than 200 variants are rejected', () => {
    const sizes = Array.from({ length: 20 }, (_, index) => `${index}`)
    expect(addCombinations([first], sizes, sizes.slice(0, 10))).toHaveLength(200)
    expect(addCombinations([first], sizes, sizes.slice(0, 11))).toBeNull()
  })
})

test('a row moves by one place, and not beyond the ends', () => {
  const rows = addCombinations([first], ['S', 'M', 'L'], []) ?? []
  const order = (moved: typeof rows) => moved.map(({ size }) => size).join('')
  expect(order(moveRow(rows, 'p1', 1))).toBe('MSL')
  expect(order(moveRow(rows, 'p1', -1))).toBe('SML')
  expect(order(moveRow(rows, rows[2]?.key ?? '', 1))).toBe('SML')
})

test('errors of fields are assigned to their rows', () => {
  expect(
    splitErrors([first], { 'variants.0.price': 'Too low', variants: 'Too many', 'variants.0.id': 'Twice' }),
  ).toEqual({
    byRow: { p1: { price: 'Too low' } },
    others: ['Too many', 'Twice'],
  })
})

test('an error of a row is dropped when its value changes', () => {
  const errors = { p1: { price: 'Too low', sku: 'Taken' } }
  expect(withoutChanged(errors, [first], [first])).toEqual(errors)
  expect(withoutChanged(errors, [first], [{ ...first, price: '99' }])).toEqual({ p1: { sku: 'Taken' } })
})

describe('unsaved rows of a list that has changed', () => {
  const base = [first, toRow({ id: 'p2', size: 'M', quantity: 0 })]
  const [, medium = first] = base
  const edited = addCombinations(base, ['S', 'M', 'L'], []) ?? []

  test('get the next part number and GTIN', () => {
    const next = [{ ...first, sku: 'P-2', gtin: '40170725' }, medium]
    expect(rebaseRows(edited, base, next)).toEqual(
      edited.map((row) => (row.id === 'p1' ? { ...row, sku: 'P-2', gtin: '40170725' } : row)),
    )
  })

  test('are outdated after any other change, or if their part number differs', () => {
    expect(rebaseRows(edited, base, [first])).toBeNull()
    expect(rebaseRows(edited, base, [first, { ...medium, price: '99' }])).toBeNull()
    const next = [{ ...first, sku: 'P-2' }, medium]
    const conflicting = edited.map((row) => ({ ...row, sku: 'P-3' }))
    expect(rebaseRows(conflicting, base, next)).toBeNull()
  })
})
