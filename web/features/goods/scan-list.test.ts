import { describe, expect, test } from 'vitest'
import {
  addOnly,
  addPieces,
  addUnknown,
  closeNote,
  compareWithNote,
  countPieces,
  emptyList,
  findOnly,
  findTarget,
  openNote,
  parseList,
  readQuantity,
  removeLine,
  removeUnknown,
  repeat,
  resolveUnknown,
  type ScannedVariant,
  select,
  setPieces,
  setUnknownPieces,
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
  let list = addPieces(addOnly(emptyList, '04006381333931', pads), chain)
  const found = findOnly(list, '04006381333931')
  if (found) list = repeat(list, found)
  expect(list.lines.map(({ name, quantity }) => [name, quantity])).toEqual([
    ['Pads', 2],
    ['Chain, 114 links', 1],
  ])
  expect(select(list, 'Chain').lines[0]?.quantity).toBe(1)
  expect(countPieces(setPieces(list, 'Pads', 30))).toBe(31)
  // Another item may be the last one when the shop has answered.
  expect(setPieces(select(list, 'Chain'), 'Pads', 30).lines.map(({ quantity }) => quantity)).toEqual([1, 30])
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

test('a number sets the pieces of the last scan, which may be an unknown code', () => {
  const scanned = setPieces(addPieces(emptyList, pads), 'Pads', 30)
  expect(findTarget(scanned, '12')).toMatchObject({ variantId: 'Pads' })
  const list = addUnknown(addUnknown(scanned, 'y', []), 'x', [pads, chain])
  expect(findTarget(list, '12')).toMatchObject({ code: 'x' })
  const numbered = setUnknownPieces(list, 'x', 12)
  expect(numbered.unknown.map(({ code, pieces }) => [code, pieces])).toEqual([
    ['x', 12],
    ['y', 1],
  ])
  expect(numbered.lines).toEqual(scanned.lines)
  // The last item is the last one again when it is scanned or selected, or when the code is resolved or removed.
  for (const next of [
    addPieces(list, pads),
    select(list, 'Pads'),
    resolveUnknown(list, 'x', pads),
    removeUnknown(list, 'x'),
  ])
    expect(findTarget(next, '12')).toMatchObject({ variantId: 'Pads' })
})

test('digits that are a code of the list set no number', () => {
  const list = addPieces(emptyList, aVariant('Bolt', { sku: '12' }))
  expect([findTarget(list, '12'), findTarget(list, '13')]).toMatchObject([undefined, { variantId: 'Bolt' }])
  const unanswered = addUnknown(list, '1017', [])
  expect([findTarget(unanswered, '1017'), findTarget(unanswered, '13')]).toMatchObject([
    undefined,
    { code: '1017' },
  ])
})

test('only a code that the shop returned one item for is repeated without a question', () => {
  const gtin = pads.gtin ?? ''
  const several = resolveUnknown(addUnknown(emptyList, gtin, [pads, chain]), gtin, pads)
  expect(findOnly(several, gtin)).toBeUndefined()
  const byPartNumber = addOnly(emptyList, 'BP-1', pads)
  expect(findOnly(byPartNumber, gtin)).toBeUndefined()
  const list = addOnly(addUnknown(byPartNumber, gtin, []), gtin, pads)
  expect(list).toMatchObject({ lines: [{ quantity: 3 }], unknown: [] })
  expect(['BP-1', gtin].map((code) => findOnly(list, code)?.name)).toEqual(['Pads', 'Pads'])
  expect(parseList(JSON.stringify(list))).toEqual(list)
})

test('a delivery has items with pieces only, and a stocktake also counts none', () => {
  const list = setPieces(addPieces(addPieces({ ...emptyList, reference: 'B-12' }, pads), chain), 'Chain', 0)
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

describe('a delivery note', () => {
  const note = {
    fileName: '4711.csv',
    supplier: 'Grauwerk',
    lines: [
      { variantId: 'Pads', name: 'Pads', sku: 'BP-1', quantity: 2 },
      { variantId: 'Chain', name: 'Chain', sku: 'CH-520', quantity: 1 },
    ],
  }
  const lever = aVariant('Lever', { sku: 'LV-1' })

  test('lists its items until they are scanned, and counts the differences', () => {
    let list = openNote(addPieces(emptyList, lever), 'i1', note)
    expect(list).toMatchObject({ supplier: 'Grauwerk', reference: '4711' })
    expect(compareWithNote(list)).toEqual({ complete: 0, missing: 2, more: 0, unlisted: 1 })
    expect(findOnly(list, 'bp 1')).toBeUndefined()
    list = addOnly(list, 'bp 1', pads)
    expect(list.awaited.map(({ name }) => name)).toEqual(['Chain'])
    list = setPieces(list, 'Pads', 2)
    expect(compareWithNote(list)).toEqual({ complete: 1, missing: 1, more: 0, unlisted: 1 })
    list = setPieces(select(list, 'Chain'), 'Chain', 3)
    expect(compareWithNote(list)).toEqual({ complete: 1, missing: 0, more: 1, unlisted: 1 })
    expect(toReceipt(list, 'delivery')).toMatchObject({
      deliveryNote: 'i1',
      lines: [
        { variantId: 'Lever', quantity: 1 },
        { variantId: 'Pads', quantity: 2 },
        { variantId: 'Chain', quantity: 3 },
      ],
    })
    expect(parseList(JSON.stringify(list))).toEqual(list)
    expect(removeLine(list, 'Chain').awaited).toMatchObject([{ name: 'Chain', quantity: 0, noted: 1 }])
  })

  test('replaces an earlier one, and leaves the scanned items when it is removed', () => {
    const scanned = addPieces(openNote(emptyList, 'i1', note), pads)
    const [line] = note.lines
    const next = openNote(scanned, 'i2', { ...note, lines: line ? [{ ...line, quantity: 5 }] : [] })
    expect(next).toMatchObject({ note: { id: 'i2' }, lines: [{ quantity: 1, noted: 5 }], awaited: [] })
    const closed = closeNote(next)
    expect(closed).toMatchObject({ note: null, lines: [{ name: 'Pads', quantity: 1 }], awaited: [] })
    expect(closed.lines[0]).not.toHaveProperty('noted')
  })
})
