import { beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetAccessToken, storeAccessToken } from '../../access-token.ts'
import { ApiError } from '../../api.ts'
import { explain } from '../../owner-store.ts'
import { interceptNavigation } from '../../router/navigation.ts'
import { showToast } from '../../ui/toasts.tsx'
import { rememberAnyBike, wantsAnyBike } from './any-bike.ts'
import {
  cancelLoadIfSignedOut,
  chooseBike,
  isGarageFull,
  loadGarage,
  refreshGarage,
  removeBike,
  removeUnknown,
  replaceBikeOfUrl,
  switchOff,
} from './garage.ts'
import { parseGarage, readGarage, type StoredBike, storeGarage } from './stored-garage.ts'

vi.mock(import('../../ui/toasts.tsx'), () => ({ showToast: vi.fn<typeof showToast>() }))

const network = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const r6: StoredBike = { id: 1, name: '2009 Yamaha YZF-R6' }
const k6: StoredBike = { id: 2, name: '2012 Hayashi K6' }
const someBikes = (count: number): StoredBike[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 10, name: `Bike ${index}` }))

const parse = (body: unknown) => (typeof body === 'string' ? JSON.parse(body) : undefined)
const sent = () => network.mock.calls.map(([url, { method, body }]) => [method, url, parse(body)])
const respond = (garage: object) => network.mockImplementation(async () => Response.json(garage))

beforeEach(() => {
  // The localStorage of Node.js needs a file; its sessionStorage is in memory.
  vi.stubGlobal('localStorage', sessionStorage)
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('window', { addEventListener: () => undefined })
  sessionStorage.clear()
  network.mockReset()
  vi.stubGlobal('fetch', network)
})

describe('the stored garage', () => {
  const stored = { bikes: [r6, k6], current: 2 }

  test('is read as it was stored, without values that do not belong to it', () => {
    expect(parseGarage(JSON.stringify(stored))).toEqual(stored)
    expect(parseGarage(JSON.stringify({ bikes: [{ ...r6, role: 'admin' }], current: 1, x: 1 }))).toEqual({
      bikes: [r6],
      current: 1,
    })
    expect(parseGarage(JSON.stringify({ ...stored, current: 7 })).current).toBeNull()
  })

  test.each([
    null,
    '',
    '{',
    'null',
    '[]',
    '{"bikes":{}}',
    '{"bikes":[null]}',
    '{"bikes":[{"id":"1","name":"x"}]}',
    '{"bikes":[{"id":-1,"name":"x"}]}',
    '{"bikes":[{"id":1,"name":""}]}',
    '{"bikes":[{"id":1000000000000000,"name":"x"}]}',
    '{"bikes":[{"id":2147483648,"name":"x"}]}',
    '{"bikes":[{"id":1,"name":"x"},{"id":1,"name":"y"}]}',
    JSON.stringify({ bikes: someBikes(11), current: null }),
  ])('counts as empty with the content %j', (text) => {
    expect(parseGarage(text)).toEqual({ bikes: [], current: null })
  })

  test('is empty if the browser does not allow the shop to store data', () => {
    vi.stubGlobal('localStorage', {
      getItem() {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    expect(readGarage().bikes).toEqual([])
  })
})

describe('the garage of a guest', () => {
  test('gets a bike as the current one, which is switched off and removed', async () => {
    await chooseBike(r6)
    await chooseBike(k6)
    await chooseBike(r6)
    expect(readGarage()).toEqual({ bikes: [r6, k6], current: 1 })
    await switchOff(1)
    expect(readGarage()).toEqual({ bikes: [r6, k6], current: null })
    await chooseBike(k6)
    await removeBike(1)
    expect(readGarage()).toEqual({ bikes: [k6], current: 2 })
    await removeBike(2)
    expect(localStorage.getItem('garage')).toBeNull()
    expect(network).not.toHaveBeenCalled()
  })

  test('with another bike, or none, ends the wish for lists of parts for any bike', async () => {
    for (const change of [() => chooseBike(r6), () => chooseBike(k6), () => switchOff(2)]) {
      rememberAnyBike(true)
      await change()
      expect(wantsAnyBike()).toBe(false)
    }
  })

  test('keeps the wish for lists of parts for any bike if a full garage refuses another bike', async () => {
    storeGarage({ bikes: someBikes(10), current: 14 })
    rememberAnyBike(true)
    await expect(chooseBike(r6)).rejects.toThrow('Your garage can hold 10 bikes.')
    expect(wantsAnyBike()).toBe(true)
  })

  test('refuses the eleventh bike, and still changes between the others', async () => {
    const ten = someBikes(10)
    storeGarage({ bikes: ten, current: null })
    const error = await chooseBike(r6).catch((thrown: unknown) => thrown)
    expect(explain(error)).toBe('Your garage can hold 10 bikes. Remove one before you add another.')
    expect(isGarageFull(error)).toBe(true)
    await chooseBike({ id: 14, name: 'Bike 4' })
    expect(readGarage()).toEqual({ bikes: ten, current: 14 })
  })

  test('replaces a bike by the eleventh one', async () => {
    const ten = someBikes(10)
    storeGarage({ bikes: ten, current: 14 })
    await chooseBike(r6, 14)
    expect(readGarage()).toEqual({ bikes: [...ten.filter(({ id }) => id !== 14), r6], current: 1 })
    await chooseBike(r6, 15)
    expect(readGarage().bikes).toHaveLength(10)
  })

  test('is refused with a sentence if the browser cannot store it', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    const error = await chooseBike(r6).catch((thrown: unknown) => thrown)
    expect(explain(error)).toContain('Your browser could not save your garage.')
  })
})

test.each([
  [2, '/products?kind=Pads&bike=2&fit=some'],
  [null, '/products?kind=Pads'],
])('a list for another bike starts at its first page: %j', (bike, expected) => {
  const location = new URL('http://shop.invalid/products?kind=Pads&bike=1&fit=some&page=3')
  const replaceState = (_state: unknown, _title: string, to: string) => {
    location.href = new URL(to, location).href
  }
  vi.stubGlobal('location', location)
  vi.stubGlobal('window', { location, history: { replaceState } })
  vi.stubGlobal('reportError', vi.fn<typeof reportError>())
  interceptNavigation(async () => undefined)
  replaceBikeOfUrl(bike)
  expect(location.pathname + location.search).toBe(expected)
})

describe('the garage of a customer', () => {
  beforeEach(() => storeAccessToken('token'))

  test('takes over the bikes of the guest and names those without room once, even if two pages wait for it', async () => {
    storeGarage({ bikes: [r6, k6], current: 2 })
    respond({ bikes: [{ ...k6, make: 'hayashi' }], current: 2, notAdded: [r6] })
    await Promise.all([loadGarage('c1'), loadGarage('c1')])
    const text = `These bikes were not added because your garage is full: ${r6.name}`
    expect(vi.mocked(showToast).mock.calls).toEqual([['warning', text]])
    expect(sent()).toEqual([['POST', '/api/v1/me/garage/merge', { bikes: [1, 2], current: 2 }]])
    expect(readGarage()).toEqual({ bikes: [k6], current: 2, customerId: 'c1' })
  })

  test('is only read if there is no guest, or if the copy belongs to another customer', async () => {
    respond({ bikes: [], current: null })
    await loadGarage('c1')
    expect(readGarage()).toEqual({ bikes: [], current: null, customerId: 'c1' })
    storeGarage({ bikes: [r6], current: 1, customerId: 'c2' })
    await loadGarage('c1')
    expect(readGarage()).toEqual({ bikes: [], current: null, customerId: 'c1' })
    expect(sent().map(([method]) => method)).toEqual(['GET', 'GET'])
  })

  test('keeps the bikes of the guest for the next try if the merge fails', async () => {
    storeGarage({ bikes: [r6], current: 1 })
    network.mockRejectedValue(new TypeError('offline'))
    await expect(loadGarage('c1')).rejects.toThrow("We can't reach the shop.")
    expect(readGarage()).toEqual({ bikes: [r6], current: 1 })
  })

  test('also gets a bike that another tab adds during the merge', async () => {
    storeGarage({ bikes: [r6], current: 1 })
    network.mockImplementationOnce(async () => {
      storeGarage({ bikes: [r6, k6], current: 2 })
      return Response.json({ bikes: [r6], current: 1, notAdded: [] })
    })
    network.mockImplementationOnce(async () => Response.json({ bikes: [r6, k6], current: 2, notAdded: [] }))
    await loadGarage('c1')
    expect(sent().map(([, , body]) => body.bikes)).toEqual([[1], [1, 2]])
    expect(readGarage()).toEqual({ bikes: [r6, k6], current: 2, customerId: 'c1' })
  })

  test('is not requested any more if the customer signs out on a later page', async () => {
    network.mockImplementation(
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    )
    const merges = [loadGarage('c1')]
    cancelLoadIfSignedOut()
    merges.push(loadGarage('c1'))
    const signal = network.mock.calls[0]?.[1].signal
    expect(signal?.aborted).toBe(false)
    forgetAccessToken()
    cancelLoadIfSignedOut()
    const aborted = { status: 'rejected', reason: expect.objectContaining({ name: 'AbortError' }) }
    expect(await Promise.allSettled(merges)).toEqual([aborted, aborted])
  })

  test('is not stored after the customer has signed out', async () => {
    network.mockImplementationOnce(async () => {
      sessionStorage.clear()
      return Response.json({ bikes: [r6], current: 1 })
    })
    await loadGarage('c1')
    expect(readGarage()).toEqual({ bikes: [], current: null })
  })

  test('changes at the shop, and the copy follows the response', async () => {
    storeGarage({ bikes: [r6], current: 1, customerId: 'c1' })
    respond({ bikes: [r6, k6], current: 2 })
    await chooseBike(k6)
    expect(readGarage()).toEqual({ bikes: [r6, k6], current: 2, customerId: 'c1' })
    await switchOff(2)
    await removeBike(2)
    await refreshGarage()
    expect(sent()).toEqual([
      ['PUT', '/api/v1/me/garage/2', { current: true }],
      ['PUT', '/api/v1/me/garage/2', { current: false }],
      ['DELETE', '/api/v1/me/garage/2', undefined],
      ['GET', '/api/v1/me/garage', undefined],
    ])
  })

  test('is copied again if the shop does not have one of its bikes', async () => {
    storeGarage({ bikes: [r6, k6], current: 1, customerId: 'c1' })
    respond({ bikes: [k6], current: null })
    const error = new ApiError(
      { code: 'BIKE_NOT_FOUND', message: 'We do not have this bike in our list.' },
      404,
    )
    removeUnknown(1, error)
    await vi.waitFor(
      () => expect(readGarage()).toEqual({ bikes: [k6], current: null, customerId: 'c1' }),
      60_000,
    )
    removeUnknown(1, error)
    expect(sent()).toEqual([['GET', '/api/v1/me/garage', undefined]])
  })

  test('stays as it was if the shop refuses a change', async () => {
    storeGarage({ bikes: [r6], current: 1, customerId: 'c1' })
    const body = { code: 'GARAGE_FULL', message: 'Your garage is full.' }
    network.mockImplementation(async () => Response.json(body, { status: 422 }))
    const error = await chooseBike(k6).catch((thrown: unknown) => thrown)
    expect(explain(error)).toBe(body.message)
    expect(isGarageFull(error)).toBe(true)
    expect(readGarage()).toEqual({ bikes: [r6], current: 1, customerId: 'c1' })
    await chooseBike(k6, 1).catch(() => undefined)
    expect(sent().at(-1)).toEqual(['PUT', '/api/v1/me/garage/2', { current: true, replaces: 1 }])
  })

  test('keeps the wish for lists of parts for any bike if a change gets no response', async () => {
    storeGarage({ bikes: [r6], current: 1, customerId: 'c1' })
    for (const change of [() => chooseBike(k6), () => switchOff(1)]) {
      rememberAnyBike(true)
      network.mockRejectedValueOnce(new TypeError('offline'))
      await expect(change()).rejects.toThrow("We can't reach the shop.")
      expect(wantsAnyBike()).toBe(true)
      respond({ bikes: [r6, k6], current: 2 })
      await change()
      expect(wantsAnyBike()).toBe(false)
    }
  })

  test("becomes a guest's garage if the session has ended", async () => {
    const body = { code: 'NOT_SIGNED_IN', message: 'Log in.' }
    network.mockImplementation(async () => Response.json(body, { status: 401 }))
    await chooseBike(r6)
    expect(readGarage()).toEqual({ bikes: [r6], current: 1 })
  })
})
