import { describe, expect, test } from 'vitest'
import type { PackedLine, PackingSlip } from '../../../contract/packing.ts'
import {
  countLeft,
  findLine,
  isComplete,
  isOwnSlip,
  listTicked,
  refuseShipping,
  tick,
  toPack,
} from './pack-state.ts'
import { toPickList } from './pick-list.ts'

const aLine = (name: string, line: Partial<PackedLine> = {}): PackedLine => ({
  productId: name,
  variantId: name,
  name,
  image: '/pictures/chain.svg',
  quantity: 1,
  unitPrice: 1,
  total: 1,
  paid: 1,
  refunded: 0,
  openPieces: 1,
  shippedPieces: 0,
  cancelledPieces: 0,
  returnedPieces: 0,
  codes: [],
  ...line,
})
const aSlip = (lines: PackedLine[], id = '00a1b2c3d4e5f60718293a4b') =>
  ({ _id: id, status: 'paid', withdrawn: false, lines }) as PackingSlip
const pads = aLine('Pads', { openPieces: 2, shelf: 'B-10', codes: ['4006381333931', 'BP-1'] })
const chain = aLine('Chain', { shelf: 'B-9', codes: ['CH-520'] })
const bolt = aLine('Bolt')
const changed = 'This order has changed. Check its pieces again.'

describe('an order to pack', () => {
  test('has its open lines in the order of the shelves, with the numbers of the order', () => {
    const { lines } = toPack(aSlip([pads, aLine('Shipped', { openPieces: 0 }), bolt, chain]))
    expect(lines.map(({ name, number }) => [name, number])).toEqual([
      ['Chain', 4],
      ['Pads', 1],
      ['Bolt', 3],
    ])
  })

  test('is complete when every piece is ticked, and ticks no more pieces than it has', () => {
    let pack = toPack(aSlip([pads, chain]))
    for (const number of [1, 1, 1]) pack = tick(pack, number)
    expect(pack.lines.map(({ ticked }) => ticked)).toEqual([0, 2])
    expect([isComplete(pack), countLeft(pack)]).toEqual([false, 1])
    pack = tick(pack, 2)
    expect([isComplete(pack), countLeft(pack)]).toEqual([true, 0])
  })

  test('ticks a line that is not complete first, if two lines have the same code', () => {
    const pack = tick(toPack(aSlip([chain, chain])), 1)
    expect(findLine(pack, 'ch 520')?.number).toBe(2)
    expect(findLine(tick(pack, 2), 'ch 520')?.number).toBe(1)
  })

  test('finds a GTIN with and without a zero before it, and no other code', () => {
    const pack = toPack(aSlip([pads, bolt]))
    for (const code of ['4006381333931', '04006381333931', 'bp1', 'BP-1'])
      expect(findLine(pack, code)?.name).toBe('Pads')
    for (const code of ['4006381333', '40063813339310', 'BP', '', '00a1b2c3d4e5f607'])
      expect(findLine(pack, code)).toBeUndefined()
  })

  test('knows its own slip by the code or the number', () => {
    const pack = toPack(aSlip([pads]))
    for (const code of ['00a1b2c3d4e5f607', '00A1B2', '#00a1b2']) expect(isOwnSlip(pack, code)).toBe(true)
    for (const code of ['00a1b', '00a1b3', '']) expect(isOwnSlip(pack, code)).toBe(false)
  })

  test('keeps its ticks when it is read again, unless pieces were cancelled', () => {
    const pack = tick(tick(toPack(aSlip([pads, chain])), 1), 1)
    const same = toPack(aSlip([pads, chain]), listTicked(pack))
    expect([refuseShipping(pack, same), countLeft(same)]).toEqual([null, 1])
    const fewer = toPack(aSlip([{ ...pads, openPieces: 1 }, chain]), listTicked(pack))
    expect([refuseShipping(pack, fewer), countLeft(fewer)]).toEqual([changed, 1])
    expect(refuseShipping(pack, undefined)).toBe(changed)
  })

  test('is not shipped if the customer has withdrawn since it was shown', () => {
    const shown = toPack(aSlip([pads]))
    const withdrawn = toPack({ ...aSlip([pads]), withdrawn: true })
    expect(refuseShipping(shown, withdrawn)).toBe(
      'The customer withdraws from this order. Ask an admin before you ship it.',
    )
    expect(refuseShipping(withdrawn, withdrawn)).toBeNull()
  })
})

test('a pick list adds up the pieces of all orders by shelf, with unknown places last', () => {
  const list = toPickList([
    aSlip([pads, bolt, aLine('Shipped', { openPieces: 0 })], 'aaaaaa01'),
    aSlip([chain, pads, pads], 'bbbbbb01'),
  ])
  expect(list.map(({ shelf, name, pieces, orders }) => ({ shelf, name, pieces, orders }))).toEqual([
    { shelf: 'B-9', name: 'Chain', pieces: 1, orders: [{ number: 'bbbbbb', pieces: 1 }] },
    {
      shelf: 'B-10',
      name: 'Pads',
      pieces: 6,
      orders: [
        { number: 'aaaaaa', pieces: 2 },
        { number: 'bbbbbb', pieces: 4 },
      ],
    },
    { shelf: '', name: 'Bolt', pieces: 1, orders: [{ number: 'aaaaaa', pieces: 1 }] },
  ])
})
