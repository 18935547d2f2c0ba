import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OrderDetails } from '../contract/checkout.ts'
import { checkUnpaid, followOrder } from './features/orders/check-unpaid.ts'
import { forgetUnpaid, readUnpaidOrders, rememberUnpaid } from './unpaid-orders.ts'

const order = (id: string, more: Partial<OrderDetails> = {}) =>
  ({ id, status: 'unpaid', processing: false, history: [], ...more }) as OrderDetails

beforeEach(() => {
  // The localStorage of Node.js needs a file; its sessionStorage is in memory.
  vi.stubGlobal('localStorage', sessionStorage)
  localStorage.clear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the unpaid orders of a guest', () => {
  test('are stored with their key and the end of their time, the newest last', () => {
    rememberUnpaid({ id: 'o1', key: 'k1', until: null })
    followOrder(order('o2'), 'k2')
    followOrder(order('o1', { payBy: '2026-11-27T10:00:00Z' }), 'k1')
    expect(readUnpaidOrders()).toEqual([
      { id: 'o1', key: 'k1', until: Date.UTC(2026, 10, 27, 10) },
      { id: 'o2', key: 'k2', until: null },
    ])
  })

  test.each([{ status: 'paid' }, { status: 'refunded' }] as const)('forget an order that is %j', (change) => {
    followOrder(order('o1'), 'k1')
    followOrder(order('o2'), 'k2')
    followOrder(order('o1', change), 'k1')
    expect(readUnpaidOrders().map(({ id }) => id)).toEqual(['o2'])
  })

  test.each(['expired', 'cancelled'] as const)('keep an order that was %s for 14 days', async (kind) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 27) })
    const end = order('o1', { status: 'cancelled', history: [{ kind, at: '', by: 'shop' }] })
    followOrder(order('o1'), 'k1')
    followOrder(order('o2'), 'k2')
    followOrder(end, 'k1')
    vi.setSystemTime(Date.UTC(2026, 11, 10))
    // It does not start again.
    followOrder(end, 'k1')
    followOrder(order('o2', { status: 'paid' }), 'k2')
    const ended = { id: 'o1', key: 'k1', until: Date.UTC(2026, 10, 27), ended: kind }
    await checkUnpaid()
    expect(JSON.parse(localStorage.getItem('unpaid-orders') ?? '')).toEqual([ended])
    expect(readUnpaidOrders()).toEqual([ended])
    vi.setSystemTime(Date.UTC(2026, 11, 11))
    // Another text, as a new document has not read any.
    localStorage.setItem('unpaid-orders', JSON.stringify([null, ended]))
    expect(readUnpaidOrders()).toEqual([])
    // A check removes the key of the order.
    await checkUnpaid()
    expect(localStorage.getItem('unpaid-orders')).toBeNull()
  })

  test('do not store a dismissed order again', () => {
    followOrder(order('o1'), 'k1')
    forgetUnpaid('o1')
    followOrder(order('o1', { status: 'cancelled' }), 'k1')
    expect(readUnpaidOrders()).toEqual([])
  })

  test('keep an order whose payment is processing, but do not show it', () => {
    followOrder(order('o1', { payBy: '2026-11-27T10:00:00Z' }), 'k1')
    followOrder(order('o1', { processing: true }), 'k1')
    expect(readUnpaidOrders()).toEqual([{ id: 'o1', key: 'k1', until: 1 }])
    // The payment has failed.
    followOrder(order('o1'), 'k1')
    expect(readUnpaidOrders()).toEqual([{ id: 'o1', key: 'k1', until: null }])
  })

  test('are at most ten, and ignore what the shop did not store', () => {
    for (let number = 1; number <= 11; number++) rememberUnpaid({ id: `o${number}`, key: 'k', until: null })
    expect(readUnpaidOrders().map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, index) => `o${index + 2}`),
    )
    localStorage.setItem('unpaid-orders', '[null, 1, {"id": 2}, {"id": "o1", "key": "k", "until": null}]')
    expect(readUnpaidOrders()).toHaveLength(1)
    localStorage.setItem('unpaid-orders', '{')
    expect(readUnpaidOrders()).toEqual([])
  })
})
