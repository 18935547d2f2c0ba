import { expect, test } from 'vitest'
import { listStatuses, toLinePieces, toPaymentAmounts, toWireStates } from './states.ts'

test.each([
  ['unpaid', 0, [2, 0, 0], false, ''],
  ['paid', 8000, [2, 0, 0], true, ''],
  ['shipped', 8000, [0, 2, 0], true, 'Shipped'],
  ['cancelled', 0, [0, 0, 2], false, ''],
  ['refunded', 8000, [0, 0, 2], true, ''],
] as const)(
  'an order that is %s',
  (status, paidCents, [openPieces, shippedPieces, cancelledPieces], payment, shipment) => {
    const refunded_cents = status === 'refunded' ? 8000 : 0
    const order = { status, amount_cents: 8000, refunded_cents }
    expect(toPaymentAmounts(order)).toEqual({ paidCents, refundedCents: refunded_cents })
    const cancelled_pieces = status === 'refunded' ? 2 : 0
    const line = { quantity: 2, shipment_id: null, cancelled_pieces, returned_pieces: 0 }
    expect(toLinePieces(status, line)).toEqual({
      openPieces,
      shippedPieces,
      cancelledPieces,
      returnedPieces: 0,
    })
    expect(toWireStates(order)).toEqual({ payment, shipment })
  },
)

test.each([
  ['paid', { openPieces: 4, shippedPieces: 0, cancelledPieces: 1, returnedPieces: 0 }, 0],
  ['shipped', { openPieces: 0, shippedPieces: 4, cancelledPieces: 1, returnedPieces: 2 }, 2],
] as const)('pieces of an order that is %s, with one cancelled', (status, pieces, returned_pieces) => {
  const line = { quantity: 5, shipment_id: null, cancelled_pieces: 1, returned_pieces }
  expect(toLinePieces(status, line)).toEqual(pieces)
})

test('a line with a shipment is shipped, although its order is not', () => {
  const line = { quantity: 5, shipment_id: 's1', cancelled_pieces: 1, returned_pieces: 2 }
  const pieces = { openPieces: 0, shippedPieces: 4, cancelledPieces: 1, returnedPieces: 2 }
  expect(toLinePieces('paid', line)).toEqual(pieces)
})

test.each([
  [{ payment: true }, ['paid', 'shipped', 'refunded']],
  [{ payment: false }, ['unpaid', 'cancelled']],
  [{ shipment: 'Shipped' }, ['shipped']],
  [{ shipment: '' }, ['unpaid', 'paid', 'cancelled', 'refunded']],
  [{}, ['unpaid', 'paid', 'shipped', 'cancelled', 'refunded']],
])('statuses with %o', (states, statuses) => {
  expect(listStatuses(states)).toEqual(statuses)
})
