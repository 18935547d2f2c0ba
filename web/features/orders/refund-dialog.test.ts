import { describe, expect, test } from 'vitest'
import type { Order } from '../../../contract/orders.ts'
import type { Return } from '../../../contract/returns.ts'
import { fillDraft, listRefundable, toMaxCents } from './refund-dialog.tsx'

/** An order with 3 shipped pieces of line 1, and 2 open ones of line 2. */
const line = {
  name: 'Pads',
  unitPrice: 20,
  paid: 60,
  refunded: 0,
  openPieces: 0,
  shippedPieces: 0,
  cancelledPieces: 0,
  returnedPieces: 0,
}
const order = {
  amount: 100,
  lines: [
    { ...line, quantity: 3, shippedPieces: 3 },
    { ...line, quantity: 2, paid: 40, openPieces: 2 },
  ],
} as Partial<Order> as Order

describe('the refund of a return', () => {
  const item = { name: 'Pads', refundedPieces: 0 }
  test.each([
    ['open items', [{ ...item, line: 2, pieces: 1 }], 'cancellation', { 2: '1' }],
    ['shipped items', [{ ...item, line: 1, pieces: 2 }], 'return', { 1: '2' }],
    [
      'both',
      [
        { ...item, line: 1, pieces: 1 },
        { ...item, line: 2, pieces: 1 },
      ],
      'return',
      { 1: '1' },
    ],
    ['the whole order', [], 'return', { 1: '3' }],
  ])('opens on the kind of its items: %s', (_title, lines, kind, pieces) => {
    const { rows, kinds } = listRefundable(order)
    const draft = fillDraft(rows, kinds, {
      number: 'R-1',
      withdrawal: true,
      lines,
    } as Partial<Return> as Return)
    const typed = Object.entries(draft.rows).flatMap(([line, row]) =>
      row.pieces === '' ? [] : [[line, row.pieces]],
    )
    expect([draft.kind, Object.fromEntries(typed)]).toEqual([kind, pieces])
  })
})

test.each([
  ['1', 20],
  ['2', 40],
  ['', 60],
  ['1.5', 60],
  ['0', 60],
  ['4', 60],
  ['two', 60],
])('with %s typed pieces, a refund of 3 pieces for $60 is at most $%d', (typed, dollars) => {
  const [row] = listRefundable(order).rows
  expect(row && toMaxCents(row, typed, row.available.return)).toBe(dollars * 100)
})
