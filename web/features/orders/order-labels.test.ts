import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FoundOrder } from '../../../contract/desk.ts'
import { errors } from '../../../contract/errors.ts'
import type { Order } from '../../../contract/orders.ts'
import { statusNames } from '../../pages/customer.tsx'
import { tabs } from '../../pages/manage-orders.tsx'
import { FoundOrders } from '../desk/hits.tsx'
import { PaymentChip } from './order-chips.tsx'
import { describeCancelled } from './order-labels.tsx'
import { refusals } from './use-packing.ts'

const chip = (refunded?: number) => {
  const order = { status: 'refunded', payment: true, refunded } as Order
  return renderToStaticMarkup(createElement(PaymentChip, { order })).replaceAll(/<[^>]*>/g, '')
}

test('a paid order that is cancelled for nothing promises no money', () => {
  expect(describeCancelled({ refunded: 0 })).toBe('Cancelled.')
  expect(describeCancelled({ refunded: 0.01 })).toMatch(/refunded.*money/)
})

test('its payment counts as refunded only if an amount was refunded', () => {
  expect(chip(0)).toBe('Paid')
  expect(chip(0.01)).toBe('Refunded')
  // From a process of an earlier version.
  expect(chip()).toBe('Refunded')
})

test('texts that do not know the refunded amount name the cancellation only', () => {
  const order = { id: 'a1', number: 'a1b2c3', phone: '', amount: 40, status: 'refunded' } as FoundOrder
  const found = renderToStaticMarkup(createElement(FoundOrders, { orders: [order] }))
  const messages = [refusals.refunded, errors.ORDER_REFUNDED.message]
  for (const text of [found, ...messages, statusNames.refunded, tabs.cancelled.empty[1]]) {
    expect(text).toMatch(/cancelled/i)
    expect(text).not.toMatch(/refunded/i)
  }
})
