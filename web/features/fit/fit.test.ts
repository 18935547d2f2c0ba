import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { FitResult } from '../../../contract/fit.ts'
import { readGarage, storeGarage } from '../garage/stored-garage.ts'
import { checkBike, checkLines } from './check.ts'
import { type DescribedFit, describeFit, describeWarning } from './texts.ts'

const network = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const r6 = { id: 1, name: '2009 Yamaha YZF-R6' }
const k6 = { id: 2, name: '2012 Hayashi K6' }
const respond = (result: object) => network.mockImplementation(async () => Response.json(result))

beforeEach(() => {
  // The localStorage of Node.js needs a file; its sessionStorage is in memory.
  vi.stubGlobal('localStorage', sessionStorage)
  sessionStorage.clear()
  network.mockReset()
  vi.stubGlobal('fetch', network)
})

const bike = { ...r6, make: 'yamaha', model: 'yzf-r6', year: 2009, version: '' }

describe('the bike that a product is ordered for', () => {
  const warn = vi.fn<(fit: DescribedFit) => Promise<boolean>>()
  const check = (product = 'pads', id = 1) => checkBike(product, id, warn)
  const answer = (result: Partial<FitResult>) => respond({ bike, fitments: [], versions: [], ...result })
  beforeEach(() => {
    warn.mockReset()
    warn.mockResolvedValue(true)
  })

  test.each(['fits', 'fits_some', 'universal', 'gear'] as const)('gets no warning if it %s', async (it) => {
    answer({ answer: it })
    expect(await check()).toEqual({ bike: 1 })
    expect(warn).not.toHaveBeenCalled()
  })

  test.each(['does_not_fit', 'not_confirmed'] as const)(
    'gets one warning with the answer %s: for each product and bike, until the rider goes on',
    async (it) => {
      answer({ answer: it })
      warn.mockResolvedValueOnce(false)
      expect(await check()).toBeNull()
      expect(await check()).toEqual({ bike: 1 })
      expect(await check()).toEqual({ bike: 1 })
      expect(warn.mock.calls).toMatchObject([[{ answer: it }], [{ answer: it }]])
      await check('pads', 2)
      await check('chain', 1)
      expect(warn).toHaveBeenCalledTimes(4)
    },
  )

  test('gets another warning if the answer has become worse since the rider went on, and none if it is better', async () => {
    answer({ answer: 'not_confirmed' })
    await check()
    answer({ answer: 'does_not_fit' })
    expect(await check()).toEqual({ bike: 1 })
    answer({ answer: 'not_confirmed' })
    await check()
    expect(warn.mock.calls).toMatchObject([[{ answer: 'not_confirmed' }], [{ answer: 'does_not_fit' }]])
    warn.mockResolvedValue(false)
    const line = (it: Exclude<FitResult['answer'], 'gear'>, id = 1) => ({
      productId: 'chain',
      kind: 'Chains',
      fit: { answer: it, bike: { ...bike, id }, fitments: [], versions: [] },
    })
    expect(await checkLines([line('not_confirmed'), line('fits')], warn)).toBe(true)
    expect(await checkLines([line('fits'), line('does_not_fit', 2)], warn)).toBe(false)
    warn.mockResolvedValue(true)
    expect(await checkLines([line('does_not_fit')], warn)).toBe(true)
    expect(warn).toHaveBeenLastCalledWith(expect.anything(), 'Chains')
    expect(await checkLines([line('does_not_fit')], warn)).toBe(true)
    expect(warn).toHaveBeenCalledTimes(4)
  })

  test('is left out without a warning if nothing says that the product depends on a bike', async () => {
    answer({ answer: 'not_confirmed', needsNoBike: true })
    expect(await check()).toEqual({ bike: undefined })
    expect(warn).not.toHaveBeenCalled()
  })

  test('is not lost without an answer, and not sent if the shop does not have it', async () => {
    network.mockRejectedValueOnce(new TypeError('offline'))
    expect(await check()).toEqual({ bike: 1 })
    const body = { code: 'BIKE_NOT_FOUND', message: 'We do not have this bike in our list.' }
    network.mockImplementation(async () => Response.json(body, { status: 404 }))
    expect(await check()).toEqual({ bike: undefined })
    expect(warn).not.toHaveBeenCalled()
  })

  test("leaves a guest's garage if the shop does not have it, but not a customer's garage", async () => {
    const body = { code: 'BIKE_NOT_FOUND', message: 'We do not have this bike in our list.' }
    network.mockImplementation(async () => Response.json(body, { status: 404 }))
    storeGarage({ bikes: [r6, k6], current: 1 })
    await check()
    expect(readGarage()).toEqual({ bikes: [k6], current: null })
    const copy = { bikes: [r6], current: 1, customerId: 'c1' }
    storeGarage(copy)
    await check()
    expect(readGarage()).toEqual(copy)
  })

  test('has its present name in the garage after an answer', async () => {
    storeGarage({ bikes: [{ ...r6, name: '2009 Yamaha R6' }, k6], current: 1 })
    answer({ answer: 'fits' })
    await check()
    expect(readGarage()).toEqual({ bikes: [r6, k6], current: 1 })
    answer({ answer: 'fits', bike: { ...bike, id: 7 } })
    await check('pads', 7)
    expect(readGarage()).toEqual({ bikes: [r6, k6], current: 1 })
  })

  test('is sent if the warning cannot be shown', async () => {
    answer({ answer: 'not_confirmed' })
    warn.mockRejectedValueOnce(new TypeError('no code'))
    expect(await check()).toEqual({ bike: 1 })
    await check()
    expect(warn).toHaveBeenCalledTimes(2)
  })
})

describe('the text of an answer', () => {
  const fitment = {
    make: 'yamaha',
    model: 'yzf-r6',
    name: 'Yamaha YZF-R6',
    yearFrom: 2008,
    yearTo: 2010,
    source: 'shop',
  }
  const text = (result: Partial<FitResult>) =>
    describeFit({ answer: 'fits', bike, fitments: [], versions: [], ...result })

  test('names position, pieces and notes of each fitment once', () => {
    const front = { ...fitment, position: 'front', pieces: 2, note: 'not with ABS' }
    const rear = { ...fitment, position: 'rear' }
    expect(text({ fitments: [front, rear, rear, fitment] })).toEqual({
      text: 'Fits your 2009 Yamaha YZF-R6',
      details: ['Front, 2 per bike · Note: not with ABS', 'Rear'],
      advice: '',
    })
    expect(text({ fitments: [{ ...fitment, pieces: 2 }] }).details).toEqual(['2 per bike'])
  })

  test.each<[Partial<FitResult>, string]>([
    [
      { answer: 'fits_some', versions: ['ABS', 'SP'] },
      'Fits some versions of the 2009 Yamaha YZF-R6: ABS, SP.',
    ],
    [{ answer: 'does_not_fit' }, 'Does not fit your 2009 Yamaha YZF-R6.'],
    [{ answer: 'universal' }, 'Universal part. Check the specification before you order.'],
  ])('%j reads %j', (result, expected) => {
    expect(text(result)).toEqual({ text: expected, details: [], advice: '' })
  })

  test.each<[string[], string[]]>([
    [[], []],
    [['ABS', 'SP'], ['It is listed for another version of your bike (ABS, SP).']],
  ])('says that the shop does not know, with the other versions %j', (versions, details) => {
    expect(text({ answer: 'not_confirmed', versions })).toEqual({
      text: "We don't know whether this part fits your 2009 Yamaha YZF-R6.",
      details,
      advice: 'Compare the part number or the dimensions before you order.',
    })
  })

  test.each<[Partial<FitResult>, string]>([
    [{ answer: 'does_not_fit' }, "The manufacturer's list does not include the 2009 Yamaha YZF-R6."],
    [
      { answer: 'not_confirmed' },
      "It isn't listed for the 2009 Yamaha YZF-R6. Compare the part number or the dimensions before you order.",
    ],
    [
      { answer: 'not_confirmed', versions: ['ABS'] },
      'It is listed for another version of your bike (ABS). Compare the part number or the dimensions before you order.',
    ],
  ])('%j warns with %j', (result, expected) => {
    const fit = { answer: 'fits' as const, bike, fitments: [], versions: [], ...result }
    expect(describeWarning(fit)?.text).toBe(expected)
  })
})
