import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CartLine } from '../../../contract/cart.ts'
import { maxCartLines } from '../../../contract/limits.ts'
import { forgetAccessToken, storeAccessToken } from '../../access-token.ts'
import { explain } from '../../owner-store.ts'
import {
  addToCart,
  changeLine,
  inTurn,
  mergeGuestCart,
  readCart,
  readLines,
  removeOrdered,
  withChange,
  withLine,
} from './cart.ts'
import { replaceLine } from './returned-lines.ts'
import { countCartLines, onCartChange, readStoredLines, storeLines } from './stored-cart.ts'

const network = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const pads: CartLine = { variantId: 'pads', quantity: 2, unitPrice: 40 }
const jacket: CartLine = { variantId: 'jacket-L', quantity: 1, unitPrice: 199, size: 'L' }
const otherLines = (count: number): CartLine[] =>
  Array.from({ length: count }, (_, index) => ({ variantId: `v${index}`, quantity: 1 }))

/** A quote of lines without problems, as the shop returns it. */
const toQuote = (lines: CartLine[]) => ({
  lines: lines.map((line) => ({
    ...line,
    productId: 'p',
    name: 'Name',
    image: '',
    total: 1,
    left: 9,
    minimum: 1,
  })),
  charges: [],
  chargesAtCheckout: false,
  hasCoupons: false,
  shippingOptions: [],
  problems: [],
  total: lines.length,
})
const parse = (body: unknown) => (typeof body === 'string' ? JSON.parse(body) : {})
const sentTo = (path: string) =>
  network.mock.calls.flatMap(([url, { body }]) => (url === path ? [parse(body)] : []))

/** Replaces the shop. It quotes what it gets, and has a cart of its own for the customer. */
function serve(customerLines: CartLine[] = []): void {
  network.mockImplementation(async (url, { body }) => {
    const sent = parse(body)
    return Response.json(toQuote(url === '/api/v1/cart/quote' ? sent.lines : customerLines))
  })
}

beforeEach(() => {
  // The localStorage of Node.js needs a file; its sessionStorage is in memory.
  vi.stubGlobal('localStorage', sessionStorage)
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('window', { addEventListener: () => undefined })
  sessionStorage.clear()
  network.mockReset()
  vi.stubGlobal('fetch', network)
  serve()
})

describe('lines of a guest', () => {
  test('a line that is added again gets the sum of both quantities, and another choice is another line', () => {
    const lines = withLine([pads, jacket], { ...pads, quantity: 3, unitPrice: 42 })
    expect(lines).toEqual([{ ...pads, quantity: 5 }, jacket])
    expect(withLine([pads], { ...pads, size: 'M' })).toHaveLength(2)
    expect(withLine([{ ...pads, quantity: 1_000_000 }], pads)).toMatchObject([{ quantity: 1_000_000 }])
  })

  test('a full cart takes more of its lines, but no other line', () => {
    const full = otherLines(maxCartLines)
    expect(withLine(full, { variantId: 'v0', quantity: 1 })).toHaveLength(maxCartLines)
    expect(() => withLine(full, pads)).toThrow('A cart can hold 50 different items.')
  })

  test('a quantity of 0 removes exactly its line', () => {
    const lines = [pads, { ...pads, size: 'M' }, jacket]
    expect(withChange(lines, { variantId: 'pads', size: 'M' }, { quantity: 0 })).toEqual([pads, jacket])
    expect(withChange(lines, jacket, { quantity: 4 })).toMatchObject([
      {},
      {},
      { quantity: 4, unitPrice: 199 },
    ])
  })

  test('a line keeps its bike until it is added for another one, or the bike is changed or removed', () => {
    const lines = withLine([{ ...pads, bike: 7 }], { ...pads, quantity: 1 })
    expect(lines).toEqual([{ ...pads, quantity: 3, bike: 7 }])
    expect(withLine(lines, { ...pads, bike: 8 })).toMatchObject([{ bike: 8 }])
    expect(withChange(lines, pads, { quantity: 1, bike: 8 })).toMatchObject([{ quantity: 1, bike: 8 }])
    expect(withChange(lines, pads, { quantity: 3, bike: null })).toEqual([{ ...pads, quantity: 3 }])
  })

  test.each(['', '{', '7', '{"variantId":"x"}', '[null,7,{"x":1}]'])(
    'stored text that is not a cart is empty: %s',
    (text) => {
      localStorage.setItem('cart', text)
      expect(readStoredLines()).toEqual([])
      expect(countCartLines()).toBe(0)
    },
  )

  test('stored lines that the shop would reject are dropped', () => {
    const wrong = [null, {}, { variantId: 'x' }, { ...pads, quantity: 0 }, { ...pads, quantity: 1.5 }]
    localStorage.setItem('cart', JSON.stringify([...wrong, pads]))
    expect(readLines()).toEqual([pads])
    expect(countCartLines()).toBe(1)
  })

  test.each([
    { quantity: 1_000_000 },
    { quantity: 1_000_001 },
    { unitPrice: 12.9 },
    { unitPrice: 999_999 },
    { unitPrice: 999_999.01 },
    { unitPrice: 0 },
    { unitPrice: 0.001 },
    { unitPrice: '5' },
    { unitPrice: null },
    { unitPrice: undefined },
    { bike: 2_147_483_647 },
    { bike: 2_147_483_648 },
    { bike: 0 },
    { bike: 1.5 },
    { bike: '1' },
    { size: 'M', colour: 'Black' },
    { size: 'x'.repeat(60), colour: 'é'.repeat(60) },
    { size: 'x'.repeat(61) },
    { colour: 'x'.repeat(61) },
    { colour: 'a\u202eb' },
    { colour: 'a\nb' },
    { size: 7 },
    { size: null },
  ])('a stored line counts if its schema accepts it: %j', (change) => {
    const line = { ...pads, ...change }
    localStorage.setItem('cart', JSON.stringify([line]))
    expect(readLines()).toEqual(CartLine.safeParse(line).success ? [line] : [])
  })
})

describe('the cart of a guest', () => {
  test('is added to without a call, and quoted when it is read', async () => {
    await addToCart(pads)
    await addToCart(jacket)
    expect(network).not.toHaveBeenCalled()
    expect(countCartLines()).toBe(2)
    const { lines } = await readCart()
    expect(lines.map(({ key }) => key)).toEqual([pads, jacket])
  })

  test('is empty without a call', async () => {
    expect(await readCart()).toEqual({
      lines: [],
      total: 0,
      chargesAtCheckout: false,
      hasCoupons: false,
      mergeFailure: '',
    })
    expect(network).not.toHaveBeenCalled()
  })

  test('stays as it is if a change gets no response', async () => {
    storeLines([pads])
    network.mockRejectedValue(new TypeError('Failed to fetch'))
    const error = await changeLine(pads, { quantity: 7 }).catch((thrown: unknown) => thrown)
    expect(explain(error)).toBe("We can't reach the shop. Check your connection.")
    expect(readLines()).toEqual([pads])
  })

  test('gets the choice of a line in its place, and adds to a line that has it', async () => {
    const { size: _, ...open } = jacket
    const chosen = { ...open, size: 'L', colour: 'Red' }
    storeLines([open, pads])
    await replaceLine(open, chosen)
    expect(readLines()).toEqual([pads, chosen])
    storeLines([{ ...open, quantity: 3 }, chosen])
    await replaceLine(open, { ...chosen, quantity: 3 })
    expect(readLines()).toEqual([{ ...chosen, quantity: 4 }])
  })

  test('loses what was ordered, and not what another tab has added in the meantime', async () => {
    storeLines([pads, jacket])
    const { lines } = await readCart()
    storeLines([pads, jacket, { ...pads, size: 'M' }])
    removeOrdered(lines)
    expect(readLines()).toEqual([{ ...pads, size: 'M' }])
  })

  test('is refused with a sentence if the browser cannot store it', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    const error = await addToCart(pads).catch((thrown: unknown) => thrown)
    expect(explain(error)).toContain('Your browser could not save your cart.')
  })

  test('is empty if the browser does not allow the shop to store data', async () => {
    vi.stubGlobal('localStorage', {
      getItem() {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    expect(countCartLines()).toBe(0)
    expect((await readCart()).lines).toEqual([])
  })

  test('notifies its listeners', async () => {
    const listener = vi.fn<() => void>()
    const stop = onCartChange(listener)
    await addToCart(pads)
    expect(listener).toHaveBeenCalledWith(true)
    stop()
    await addToCart(pads)
    expect(listener).toHaveBeenCalledTimes(1)
  })
})

test.each([
  ['guest', null],
  ['customer', 't1'],
])('the next page reads the cart of a %s after a change that the page before has sent', async (_, token) => {
  storeLines([pads])
  if (token) {
    storeAccessToken(token)
    storeLines([])
  }
  let saved = 2
  const held = Promise.withResolvers<void>()
  network.mockImplementation(async (url, { method, body }) => {
    const isQuote = url === '/api/v1/cart/quote'
    if (isQuote || method === 'PUT') await held.promise
    if (method === 'PUT') saved = 7
    return Response.json(toQuote(isQuote ? parse(body).lines : [{ ...pads, quantity: saved }]))
  })
  const change = inTurn(() => changeLine(pads, { quantity: 7 }))
  const read = inTurn(readCart)
  held.resolve()
  await change
  expect((await read).lines).toMatchObject([{ quantity: 7 }])
})

test('work on the cart goes on after a failure', async () => {
  await expect(inTurn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await inTurn(async () => 'next')).toBe('next')
})

test('work that is given up while it waits is not done, and later work does not wait', async () => {
  const endless = new Promise<never>(() => undefined)
  void inTurn(() => endless)
  const waiting = new AbortController()
  const given = addToCart(pads, waiting.signal)
  waiting.abort()
  await expect(given).rejects.toThrow('aborted')
  await addToCart(jacket)
  expect(readLines()).toEqual([jacket])
})

describe('the cart of a customer', () => {
  beforeEach(() => storeAccessToken('t1'))

  test('gets the lines of the guest once, and the guest loses them after the response', async () => {
    localStorage.setItem('cart', JSON.stringify([pads, jacket]))
    const response = Promise.withResolvers<Response>()
    network.mockReturnValue(response.promise)
    const merges = [mergeGuestCart(), mergeGuestCart()]
    expect(readLines()).toHaveLength(2)
    // Another tab adds a line in the meantime.
    storeLines([pads, jacket, { ...pads, size: 'M' }])
    response.resolve(Response.json(toQuote([pads, jacket])))
    await Promise.all(merges)
    expect(sentTo('/api/v1/cart/merge')).toEqual([{ lines: [pads, jacket] }])
    expect(readLines()).toEqual([{ ...pads, size: 'M' }])
    expect(countCartLines()).toBe(2)
  })

  test('is not read after a sign-out', async () => {
    forgetAccessToken()
    await mergeGuestCart()
    expect(network).not.toHaveBeenCalled()
  })

  test('does not lose the lines of the guest if the merge gets no response', async () => {
    storeLines([pads])
    network.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(mergeGuestCart()).rejects.toMatchObject({ code: 'NO_ANSWER' })
    expect(readLines()).toEqual([pads])
  })

  test('is shown with the reason if it cannot take the lines of the guest', async () => {
    storeLines([pads])
    const message = 'A cart can hold 50 different items.'
    network.mockImplementation(async (url) =>
      url === '/api/v1/cart/merge'
        ? Response.json({ code: 'CART_TOO_LARGE', message }, { status: 422 })
        : Response.json(toQuote(otherLines(50))),
    )
    expect(await readCart()).toMatchObject({ mergeFailure: message, total: 50 })
    expect(readLines()).toEqual([pads])
    expect(countCartLines()).toBe(50)
  })

  test('gets more of a line by its new quantity', async () => {
    serve([{ ...pads, quantity: 3 }])
    await addToCart(pads)
    await addToCart({ ...pads, size: 'M' })
    const bodies = sentTo('/api/v1/cart/lines/pads')
    const addition = { id: expect.any(String), pieces: 2 }
    expect(bodies).toEqual([
      { quantity: 5, addition },
      { quantity: 2, size: 'M', addition },
    ])
    expect(readLines()).toEqual([])
  })

  test('is asked with the same id again to add pieces after no answer, and then with another one', async () => {
    const answer = network.getMockImplementation()
    network.mockImplementation(async (url, init) => {
      const isFirst = sentTo('/api/v1/cart/lines/pads').length === 1
      if (url === '/api/v1/cart/lines/pads' && isFirst) throw new TypeError('Failed to fetch')
      return answer ? answer(url, init) : Response.error()
    })
    await addToCart(pads).catch(() => undefined)
    await addToCart(pads)
    await addToCart(pads)
    const ids = sentTo('/api/v1/cart/lines/pads').map(({ addition }) => addition.id)
    expect(ids).toHaveLength(3)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })

  test('gets the pieces of a line with another choice once, although the line could not be removed at first', async () => {
    const { size: _, ...open } = jacket
    const answer = network.getMockImplementation()
    network.mockImplementation(async (url, init) => {
      const isRemoval = parse(init.body).quantity === 0
      const removals = sentTo('/api/v1/cart/lines/jacket-L').filter(({ quantity }) => quantity === 0)
      if (isRemoval && removals.length === 1) throw new TypeError('Failed to fetch')
      return answer ? answer(url, init) : Response.error()
    })
    await replaceLine(open, jacket).catch(() => undefined)
    await replaceLine(open, jacket)
    const [first, removal, second, ...others] = sentTo('/api/v1/cart/lines/jacket-L')
    expect(first).toMatchObject({ size: 'L', addition: { pieces: 1 } })
    expect(second).toEqual(first)
    expect([removal, ...others]).toEqual([{ quantity: 0 }, { quantity: 0 }])
  })

  test("gets the guest's bikes, and changes the bike of a line", async () => {
    storeLines([{ ...pads, bike: 7 }])
    await readCart()
    await changeLine(pads, { quantity: 2, bike: 8 })
    await changeLine(pads, { quantity: 2, bike: null })
    await addToCart({ ...pads, bike: 9 })
    expect(sentTo('/api/v1/cart/merge')).toEqual([{ lines: [{ ...pads, bike: 7 }] }])
    expect(sentTo('/api/v1/cart/lines/pads').map(({ bike }) => bike)).toEqual([8, null, 9])
  })

  test('is counted again after an order, whose lines the shop removes', async () => {
    serve([pads, jacket])
    const { lines } = await readCart()
    serve([])
    removeOrdered(lines)
    await expect.poll(countCartLines).toBe(0)
  })

  test("becomes a guest's cart if the session has ended, so that the item is not lost", async () => {
    network.mockResolvedValue(
      Response.json({ code: 'NOT_SIGNED_IN', message: 'Please log in.' }, { status: 401 }),
    )
    await addToCart(pads)
    expect(readLines()).toEqual([pads])
  })
})
