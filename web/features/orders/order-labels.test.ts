import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FoundOrder } from '../../../contract/desk.ts'
import { errors } from '../../../contract/errors.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Refund } from '../../../contract/payments.ts'
import { statusNames } from '../../pages/customer.tsx'
import { tabs } from '../../pages/manage-orders.tsx'
import { FoundOrders } from '../desk/hits.tsx'
import { PaymentChip } from './order-chips.tsx'
import { describeCancelled } from './order-labels.tsx'
import { refusals } from './use-packing.ts'

const chip = (
  refunded?: number,
  refunds?: Pick<Refund, 'kind' | 'status'>[],
  status: Order['status'] = 'refunded',
) => {
  const order = { status, payment: true, amount: 40, refunded, refunds } as Order
  return renderToStaticMarkup(createElement(PaymentChip, { order })).replaceAll(/<[^>]*>/g, '')
}

test('a paid order that is cancelled for nothing promises no money', () => {
  expect(describeCancelled({ refunded: 0 })).toBe('Cancelled.')
  expect(describeCancelled({ refunded: 0.01 })).toMatch(/refunded.*money/)
})

test('a refund that has failed, or was paid in another way, announces no money on the card', () => {
  const describe = (...statuses: Refund['status'][]) =>
    describeCancelled({ refunded: 40, refunds: statuses.map((status) => ({ id: 'f1', amount: 20, status })) })
  expect(describe('succeeded', 'failed')).toMatch(/^Cancelled\. Your refund has not gone through/)
  expect(describe('succeeded', 'closed')).toBe('Cancelled and refunded.')
  expect(describe('succeeded', 'pending')).toMatch(/arrives/)
  const free = { id: 'f2', amount: 0, status: 'closed' } as const
  expect(describeCancelled({ refunded: 40, refunds: [free] })).toMatch(/arrives/)
})

test('its payment counts as refunded only if an amount was refunded and no refund has failed', () => {
  expect(chip(0)).toBe('Paid')
  expect(chip(0.01)).toBe('Refunded')
  expect(chip(40, [{ kind: 'cancellation', status: 'failed' }])).toBe('Refund failed')
  expect(chip(40, [{ kind: 'cancellation', status: 'closed' }])).toBe('Refunded')
  expect(chip(40, [{ kind: 'unmatched', status: 'failed' }])).toBe('Refunded')
  // From a process of an earlier version.
  expect(chip()).toBe('Refunded')
})

test.each(['paid', 'shipped'] as const)(
  'the payment of a %s order says how much of it was refunded',
  (status) => {
    expect(chip(0, [], status)).toBe('Paid')
    expect(chip(undefined, undefined, status)).toBe('Paid')
    expect(chip(39.99, undefined, status)).toBe('Partly refunded')
    expect(chip(40, undefined, status)).toBe('Refunded')
    expect(chip(10, [{ kind: 'goodwill', status: 'failed' }], status)).toBe('Refund failed')
  },
)

test('texts that do not know the refunded amount name the cancellation only', () => {
  const order = { id: 'a1', number: 'a1b2c3', phone: '', amount: 40, status: 'refunded' } as FoundOrder
  const found = renderToStaticMarkup(createElement(FoundOrders, { orders: [order] }))
  const messages = [refusals.refunded, errors.ORDER_REFUNDED.message]
  for (const text of [found, ...messages, statusNames.refunded, tabs.cancelled.empty[1]]) {
    expect(text).toMatch(/cancelled/i)
    expect(text).not.toMatch(/refunded/i)
  }
})
