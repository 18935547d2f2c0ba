import { expect, test } from 'vitest'
import { listStatuses, toLinePieces, toPaymentAmounts, toWireStates } from './states.ts'

test.each([
  ['unpaid', 0, [2, 0], false, ''],
  ['paid', 8000, [2, 0], true, ''],
  ['shipped', 8000, [0, 2], true, 'Shipped'],
  ['cancelled', 0, [0, 0], false, ''],
  ['refunded', 8000, [0, 0], true, ''],
] as const)('an order that is %s', (status, paidCents, [openPieces, shippedPieces], payment, shipment) => {
  const refunded_cents = status === 'refunded' ? 8000 : 0
  const order = { status, amount_cents: 8000, refunded_cents, lines: [{ quantity: 2 }, { quantity: 1 }] }
  expect(toPaymentAmounts(order)).toEqual({ paidCents, refundedCents: refunded_cents })
  expect(toLinePieces(status, { quantity: 2 })).toEqual({ openPieces, shippedPieces, returnedPieces: 0 })
  expect(toWireStates(order)).toEqual({ payment, shipment })
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
