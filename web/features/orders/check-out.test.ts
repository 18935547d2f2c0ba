import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Checkout } from '../../../contract/checkout.ts'
import { placeCheckout, readAttempt } from './check-out.ts'

const network = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const form = { note: 'of the page' }
const formShape = z.object({ note: z.string() })
const checkout: Checkout = {
  lines: [{ variantId: 'pads', quantity: 2, unitPrice: 40 }],
  total: 80,
  address: { name: 'Robin', line1: '1 Road', city: 'Springfield', country: 'US' },
}
const changed: Checkout = { ...checkout, total: 84 }

const placed = () => Response.json({ id: 'o1', amount: 80 })
const refuse = (status: number, code: string) => Response.json({ code, message: code }, { status })
const noAnswer = () => Promise.reject(new TypeError('Failed to fetch'))

/** Sends an order of customer c1, and returns its idempotency key. */
async function send(
  answer: () => Response | Promise<Response>,
  sent = checkout,
  customer: string | null = 'c1',
) {
  network.mockImplementationOnce(async () => answer())
  await placeCheckout(customer, sent, form).catch(() => undefined)
  return new Headers(network.mock.lastCall?.[1].headers).get('idempotency-key')
}

beforeEach(() => {
  // The localStorage of Node.js needs a file; its sessionStorage is in memory.
  vi.stubGlobal('localStorage', sessionStorage)
  network.mockReset()
  vi.stubGlobal('fetch', network)
})
afterEach(() => vi.unstubAllGlobals())
// An accepted order closes the attempt of the test before.
beforeEach(() => send(placed))

describe('the idempotency key', () => {
  test('is a UUID, and another one for the next order', async () => {
    const first = await send(placed)
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(await send(placed)).not.toBe(first)
  })

  test.each([
    ['no response', noAnswer],
    ['an error of the server', () => refuse(500, 'INTERNAL')],
    ['a server that is unavailable', () => refuse(503, 'UNAVAILABLE')],
    ['an expired session', () => refuse(401, 'NOT_SIGNED_IN')],
    ['too many requests', () => refuse(429, 'TOO_MANY_REQUESTS')],
  ])('is the same after %s', async (_, answer) => {
    const first = await send(answer)
    expect(await send(placed)).toBe(first)
  })

  test.each(['CART_CHANGED', 'IDEMPOTENCY_KEY_REUSED'])('is a new one after a refusal: %s', async (code) => {
    const first = await send(() => refuse(409, code))
    expect(readAttempt('c1', formShape)).toMatchObject({ isUnanswered: false, form })
    expect(await send(placed)).not.toBe(first)
  })

  test('is a new one for a changed order, and for another buyer', async () => {
    const first = await send(noAnswer)
    expect(await send(noAnswer, changed)).not.toBe(first)
    const second = await send(noAnswer)
    expect(await send(noAnswer, checkout, null)).not.toBe(second)
  })

  test('is the same after a reload, which loses the memory of the page', async () => {
    const first = await send(noAnswer)
    vi.resetModules()
    const reloaded = await import('./check-out.ts')
    expect(reloaded.readAttempt('c1', formShape)).toEqual({
      key: first,
      customerId: 'c1',
      checkout,
      form,
      isUnanswered: true,
    })
  })

  test('is the same in a browser that stores nothing', async () => {
    vi.stubGlobal('sessionStorage', undefined)
    const first = await send(noAnswer)
    expect(await send(noAnswer)).toBe(first)
  })
})

describe('an order that may have been placed', () => {
  test('is remembered until a definite answer, also if the session ends in between', async () => {
    await send(noAnswer)
    await send(() => refuse(401, 'NOT_SIGNED_IN'))
    expect(readAttempt('c1', formShape)).toMatchObject({ isUnanswered: true })
    expect(readAttempt('c2', formShape)).toBeNull()
    await send(placed)
    expect(readAttempt('c1', formShape)).toBeNull()
  })

  test('is not one that was rejected at its first attempt', async () => {
    await send(() => refuse(429, 'TOO_MANY_OPEN_ORDERS'))
    expect(readAttempt('c1', formShape)).toMatchObject({ isUnanswered: false })
    await send(() => refuse(429, 'TOO_MANY_OPEN_ORDERS'))
    expect(readAttempt('c1', formShape)).toMatchObject({ isUnanswered: false })
  })

  test.each([
    ['no JSON', '{'],
    ['no object', '7'],
    ['without a key', JSON.stringify({ customerId: 'c1', checkout, form, isUnanswered: true })],
    [
      'with the state of another page',
      JSON.stringify({ key: crypto.randomUUID(), customerId: 'c1', checkout, form: {}, isUnanswered: true }),
    ],
  ])('is not a stored text %s', async (_, text) => {
    sessionStorage.setItem('checkout', text)
    expect(readAttempt('c1', formShape)).toBeNull()
    await send(noAnswer)
    expect(readAttempt('c1', formShape)).toMatchObject({ isUnanswered: true })
  })
})
