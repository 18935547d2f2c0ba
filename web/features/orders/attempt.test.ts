import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, noAnswer } from '../../api.ts'
import { readAttempt, sendOnce } from './attempt.ts'

const name = 'checkout'
const form = { note: 'of the page' }
const isForm = (stored: unknown) => typeof (stored as Partial<typeof form>).note === 'string'
const body = { total: 80, lines: [{ variantId: 'pads', quantity: 2 }] }
const changed = { ...body, total: 84 }

const placed = async () => 'o1'
const refuse = (status: number) => Promise.reject(new ApiError({ code: 'INTERNAL', message: '' }, status))
const lose = () => Promise.reject(noAnswer())

/** Sends an order of customer c1, and returns its idempotency key. */
async function send(
  answer: () => Promise<unknown>,
  sent = body,
  customerId: string | null = 'c1',
  unanswered: ReturnType<typeof read> = null,
) {
  let sentKey = ''
  const attempt = sendOnce(
    name,
    { customerId, body: sent, form },
    (key) => {
      sentKey = key
      return answer()
    },
    unanswered,
  )
  await attempt.catch(() => undefined)
  return sentKey
}
const read = (customerId: string | null = 'c1') => readAttempt<typeof form>(name, customerId, isForm)

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

describe('the idempotency key', () => {
  test('is a UUID, and another one for the next order', async () => {
    const first = await send(placed)
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(await send(placed)).not.toBe(first)
  })

  test.each([
    ['no response', lose],
    ['an error of the server', () => refuse(500)],
    ['a server that is unavailable', () => refuse(503)],
  ])('is the same after %s', async (_, answer) => {
    const first = await send(answer)
    expect(await send(placed)).toBe(first)
  })

  test('is a new one after a refusal', async () => {
    const first = await send(() => refuse(409))
    expect(read()).toBeNull()
    expect(await send(placed)).not.toBe(first)
  })

  test('is a new one for a changed order, and for another buyer', async () => {
    const first = await send(lose)
    expect(await send(lose, changed)).not.toBe(first)
    const second = await send(lose)
    expect(await send(lose, body, null)).not.toBe(second)
    expect(await send(placed)).toBe(second)
  })

  test('is the same after a reload, which loses the memory of the page', async () => {
    const first = await send(lose)
    vi.resetModules()
    const reloaded = await import('./attempt.ts')
    expect(reloaded.readAttempt(name, 'c1', isForm)).toEqual({ key: first, customerId: 'c1', body, form })
  })

  test('is the same on a page that shows it, after the page that sent it got the answer', async () => {
    const first = await send(lose)
    const shown = read()
    await send(placed)
    expect(await send(placed, changed, 'c1', shown)).not.toBe(first)
    expect(await send(placed, body, 'c1', shown)).toBe(first)
  })

  test('is the same in a browser that stores nothing', async () => {
    vi.stubGlobal('sessionStorage', undefined)
    const first = await send(lose)
    expect(await send(lose)).toBe(first)
    await send(placed)
    expect(read()).toBeNull()
  })
})

describe('an order that may have been placed', () => {
  test.each([
    ['an ended session', 401],
    ['a slow request', 408],
    ['too many requests', 429],
  ])('is remembered after %s, until a definite answer', async (_, status) => {
    const first = await send(lose)
    await send(() => refuse(status))
    expect(read()).toMatchObject({ key: first, form })
    expect(read('c2')).toBeNull()
    await send(placed)
    expect(read()).toBeNull()
  })

  test.each([401, 408, 429])('is not one that got status %i at its first attempt', async (status) => {
    await send(() => refuse(status))
    expect(read()).toBeNull()
  })

  test.each([
    ['no JSON', '{'],
    ['no object', '7'],
    ['without a key', JSON.stringify({ customerId: 'c1', body, form })],
    ['with a key that the shop would refuse', JSON.stringify({ key: 'k', customerId: 'c1', body, form })],
    ['without a body', JSON.stringify({ key: crypto.randomUUID(), customerId: 'c1', form })],
    [
      'with the state of another page',
      JSON.stringify({ key: crypto.randomUUID(), customerId: 'c1', body, form: {} }),
    ],
  ])('is not a stored text %s', async (_, text) => {
    sessionStorage.setItem(`${name}:c1`, text)
    expect(read()).toBeNull()
    await send(lose)
    expect(read()).toMatchObject({ body })
  })
})
