import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Order } from '../../../contract/orders.ts'
import { PaymentChip } from './order-chips.tsx'
import { describeCancelled } from './order-labels.tsx'

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
