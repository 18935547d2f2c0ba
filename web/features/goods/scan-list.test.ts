import { expect, test } from 'vitest'
import {
  addPieces,
  addUnknown,
  countPieces,
  emptyList,
  findLines,
  parseList,
  readQuantity,
  repeat,
  resolveUnknown,
  type ScannedVariant,
  select,
  setLast,
  toReceipt,
} from './scan-list.ts'

const aVariant = (variantId: string, values: Partial<ScannedVariant> = {}): ScannedVariant => ({
  variantId,
  productId: variantId,
  name: variantId,
  stock: 4,
  reserved: 2,
  image: '',
  ...values,
})
const pads = aVariant('Pads', { sku: 'BP-1', gtin: '4006381333931' })
const chain = aVariant('Chain', { sku: 'CH-520', size: '114 links' })

test('a scan adds one piece, and its item becomes the last one', () => {
  let list = addPieces(addPieces(emptyList, pads), chain)
  const [found] = findLines(list, '04006381333931')
  if (found) list = repeat(list, found)
  expect(list.lines.map(({ name, quantity }) => [name, quantity])).toEqual([
    ['Pads', 2],
    ['Chain, 114 links', 1],
  ])
  expect(select(list, 'Chain').lines[0]?.quantity).toBe(1)
  expect(countPieces(setLast(list, 30))).toBe(31)
})

test('up to five digits are a number of pieces, and more are a code', () => {
  expect(['0', '12', '99999', '100000', '40170725', 'CH-520', ''].map(readQuantity)).toEqual([
    0,
    12,
    99_999,
    null,
    null,
    null,
    null,
  ])
})

test('an item keeps the expected pieces of its first scan', () => {
  const first = addPieces(emptyList, pads)
  const list = addPieces(first, { ...pads, stock: 1, reserved: 0 })
  expect(toReceipt(list, 'count').lines).toEqual([{ variantId: 'Pads', quantity: 2, expected: 6 }])
})

test('the pieces of an unknown code go to the item that is found for it', () => {
  const list = addUnknown(addUnknown(emptyList, '4017', []), '4017', [])
  expect(list.unknown).toEqual([{ code: '4017', pieces: 2, variants: [] }])
  const found = resolveUnknown(list, '4017', chain)
  expect([found.unknown, found.lines[0]?.quantity]).toEqual([[], 2])
})

test('a delivery has items with pieces only, and a stocktake also counts none', () => {
  const list = setLast(addPieces(addPieces({ ...emptyList, reference: 'B-12' }, pads), chain), 0)
  expect(toReceipt(list, 'delivery')).toEqual({
    kind: 'delivery',
    reference: 'B-12',
    lines: [{ variantId: 'Pads', quantity: 1 }],
  })
  expect(toReceipt(list, 'count').lines).toMatchObject([{ quantity: 1 }, { quantity: 0, expected: 6 }])
})

test('reads a stored list, and nothing from other texts', () => {
  const list = addUnknown(addPieces(emptyList, pads), 'x', [])
  expect(parseList(JSON.stringify(list))).toEqual(list)
  for (const text of [null, '', 'null', '[]', '{"lines":[{}],"unknown":[]}'])
    expect(parseList(text)).toEqual(emptyList)
})
