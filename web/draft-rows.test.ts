import { expect, test, vi } from 'vitest'
import { addRow, nameChanges, toRowFields, withKeys } from './draft-rows.ts'

const stored = withKeys([{ maker: 'Brembo' }, { maker: 'Hiflo' }])
const name = (rows: typeof stored) => nameChanges(['number', 'numbers'], stored, rows)

test('a new row gets a key that no row has', () => {
  expect(addRow([], { maker: '' })).toEqual([{ maker: '', key: 0 }])
  expect(addRow(stored.slice(1), { maker: '' }).map(({ key }) => key)).toEqual([1, 2])
})

test('changes are counted by rows that are added, removed or different', () => {
  expect(name(stored)).toBe('numbers')
  expect(name(stored.slice(1))).toBe('1 number')
  expect(name(addRow(stored, { maker: '' }))).toBe('1 number')
  expect(name(addRow(stored.slice(1), { maker: '' }))).toBe('2 numbers')
  expect(name(stored.map((row) => ({ ...row, maker: 'NGK' })))).toBe('2 numbers')
})

test('the fields of a row have the errors of its place, and change, move or remove it by its key', () => {
  let rows = stored.slice(1)
  const fields = () =>
    toRowFields('numbers', rows, { 'numbers.0.maker': 'Too long' }, (change) => {
      rows = change(rows)
    })
  const [first] = fields()
  expect(first).toMatchObject({ number: 1, row: { maker: 'Hiflo' } })
  expect([first?.error('maker'), first?.error('kind')]).toEqual(['Too long', undefined])
  first?.onChange({ maker: 'NGK' })
  expect(rows).toEqual([{ maker: 'NGK', key: 1 }])
  expect(first?.text('maker')).toMatchObject({ value: 'Hiflo', error: 'Too long' })
  first?.text('maker').onChange({ target: { value: 'Brembo' } })
  expect(rows).toEqual([{ maker: 'Brembo', key: 1 }])
  rows = stored
  fields()[1]?.onMove(-1)
  expect(rows).toEqual(stored.toReversed())
  rows = stored.slice(1)
  vi.stubGlobal('document', { activeElement: null, querySelectorAll: () => [] })
  fields()[0]?.onRemove()
  vi.unstubAllGlobals()
  expect(rows).toEqual([])
})
