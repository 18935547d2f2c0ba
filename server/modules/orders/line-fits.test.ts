import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { FitKind } from '../../../contract/fit-answer.ts'
import type { EditedFitment } from '../../../contract/fitments.ts'
import { payingAs } from '../../../tests/checkout.ts'
import {
  aBike,
  aCheckout,
  aCustomer,
  anAdmin,
  aProduct,
  payAtSandbox,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { whileRemoved } from '../../../tests/removed-bike.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { saveFitments } from '../fitment/service.ts'

const shop = useTestShop({ mail: 'mailbox' })
const rider = useCustomer(() => aCustomer(shop))
let r6: number
let fitting: string
let other: string
let complete: string
let gloves: string

beforeEach(async () => {
  r6 = await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2009 })
  const range = { make: 'yamaha', model: 'yzf-r6', yearFrom: 2006, yearTo: 2012 }
  fitting = await aPart('Pads', 'vehicle', false, [
    { ...range, position: 'front' },
    { ...range, position: 'rear' },
  ])
  other = await aPart('Levers', 'vehicle', false, [])
  complete = await aPart('Chain', 'vehicle', true, [{ ...range, yearFrom: 2010 }])
  gloves = await aPart('Gloves', 'gear', false, [])
})

const { confirm, openedFor } = payingAs(() => ({ shop, rider }))

/** Adds a product for 40 dollars; returns its id. */
async function aPart(name: string, fitKind: FitKind, isComplete: boolean, fitments: EditedFitment[]) {
  const id = await aProduct(shop, { name, kind: 'Parts' })
  await saveFitments(shop.db, id, { fitKind, complete: isComplete, fitments }, null)
  return id
}

const line = (variantId: string, bike?: number) => ({ variantId, quantity: 1, unitPrice: 40, bike })
const yamaha = (answer: string, position?: string) => ({
  bike: { id: r6, name: '2009 Yamaha YZF-R6' },
  answer,
  ...(position && { position }),
})
const unknownBike = 2_147_483_647

test('a quote says for each line whether it fits, and nothing for gear, without a bike, and for an unknown bike', async () => {
  const lines = [
    line(fitting, r6),
    line(other, r6),
    line(complete, r6),
    line(gloves, r6),
    line(fitting),
    line(fitting, unknownBike),
  ]
  const { body } = await shop.call('quoteCart', { body: { lines } })
  const noReasons = { fitments: [], versions: [] }
  const fitments = [{ position: 'front' }, { position: 'rear' }]
  expect(body.lines.map(({ fitKind, fit }) => [fitKind, fit])).toMatchObject([
    ['vehicle', { ...yamaha('fits', 'front, rear'), fitments, versions: [] }],
    ['vehicle', { ...yamaha('not_confirmed'), ...noReasons }],
    ['vehicle', { ...yamaha('does_not_fit'), ...noReasons }],
    ['gear', undefined],
    ['vehicle', undefined],
    ['vehicle', undefined],
  ])
  expect(body.lines[0]?.fit?.bike).toMatchObject({ make: 'yamaha', model: 'yzf-r6', year: 2009 })
  for (const bike of [0, -1, 1.5, unknownBike + 1]) {
    expect(await shop.call('quoteCart', { body: { lines: [line(fitting, bike)] } })).toMatchObject(
      refused('INVALID_REQUEST'),
    )
  }
})

describe('the cart of a customer', () => {
  const put = (body: object) =>
    shop.call('setCartLine', { as: rider, params: { variantId: fitting }, body: { quantity: 1, ...body } })
  const merge = (...lines: object[]) => shop.call('mergeCart', { as: rider, body: { lines } })
  const bikes = async () => {
    const { body } = await shop.call('getCart', { as: rider })
    return body.lines.map(({ fit }) => fit?.bike.id)
  }

  test('keeps the bike of a line until the customer changes or removes it', async () => {
    const cbr = await aBike(shop, { make: 'Honda', model: 'CBR600RR', year: 2008 })
    await put({ bike: r6 })
    expect(await bikes()).toEqual([r6])
    await put({ quantity: 3 })
    expect(await bikes()).toEqual([r6])
    await put({ bike: cbr })
    expect(await bikes()).toEqual([cbr])
    await put({ bike: null })
    expect(await bikes()).toEqual([undefined])
    expect(await put({ bike: unknownBike })).toMatchObject(refused('BIKE_NOT_FOUND'))
    expect(await bikes()).toEqual([undefined])
  })

  test('refuses a bike that is removed at the same time, and a merge skips it', async () => {
    const cbr = await aBike(shop, { make: 'Honda', model: 'CBR600RR', year: 2008 })
    expect(await whileRemoved(shop, cbr, () => put({ bike: cbr }))).toMatchObject(refused('BIKE_NOT_FOUND'))
    const removed = await aBike(shop, { make: 'Honda', model: 'CBR600RR', year: 2008 })
    const merged = await whileRemoved(shop, removed, () => merge(line(fitting, removed), line(other, r6)))
    expect(merged.status).toBe(200)
    expect(await bikes()).toEqual([undefined, r6])
  })

  test('takes the bike of the browser in a merge, and keeps its own if the browser has none', async () => {
    const cbr = await aBike(shop, { make: 'Honda', model: 'CBR600RR', year: 2008 })
    await put({ bike: cbr })
    await merge(line(fitting, r6), line(other, unknownBike))
    expect(await bikes()).toEqual([r6, undefined])
    await merge(line(fitting), line(other, r6))
    expect(await bikes()).toEqual([r6, r6])
  })
})

describe('an order', () => {
  const place = (lines: ReturnType<typeof line>[], as: TestCustomer | undefined) =>
    shop.call('checkOut', {
      ...(as && { as }),
      headers: { 'idempotency-key': randomUUID() },
      body: aCheckout(lines, as ? {} : { email: 'guest@example.com', asGuest: true }),
    })
  const readFits = async (id: string) => {
    const details = await shop.call('getOrder', { as: await anAdmin(shop), query: { id } })
    return details.body?.lines?.map(({ fit }) => fit)
  }

  test("keeps bike and fit of each line, regardless of the browser's answer and of later fitment changes", async () => {
    const universal = await aPart('Grips', 'universal', false, [])
    const range = { make: 'yamaha', model: 'yzf-r6', yearTo: 2012 }
    const several = await aPart('Bolts', 'vehicle', false, [
      { ...range, yearFrom: 2006, position: 'rear' },
      { ...range, yearFrom: 2007, position: 'front' },
      { ...range, yearFrom: 2008, position: 'front' },
      { ...range, yearFrom: 2010, position: 'left' },
      { ...range, yearFrom: 2008, version: 'SP', position: 'right' },
    ])
    const ofVersion = await aPart('Seat', 'vehicle', true, [{ ...range, yearFrom: 2008, version: 'SP' }])
    const forged = { ...line(other, r6), fit: yamaha('fits') }
    const more = [line(universal, r6), line(several, r6), line(ofVersion, r6)]
    const { body } = await place(
      [line(fitting, r6), forged, line(complete, r6), line(gloves, r6), ...more],
      rider,
    )
    await saveFitments(shop.db, fitting, { fitKind: 'vehicle', complete: false, fitments: [] }, null)
    const expected = [
      yamaha('fits', 'front, rear'),
      yamaha('not_confirmed'),
      yamaha('does_not_fit'),
      undefined,
      yamaha('universal'),
      // In the order of the fitments, each position once.
      yamaha('fits', 'front, rear'),
      yamaha('fits_some'),
    ]
    expect(await readFits(body.id)).toEqual(expected)
    const own = await shop.call('getOrderDetails', { as: rider, params: { id: body.id } })
    expect(own.body.lines.map(({ fit }) => fit)).toEqual(expected)
  })

  test('of a guest has them too, and one for an unknown bike is placed without', async () => {
    const placed = await place([line(other, r6), line(fitting, unknownBike)], undefined)
    expect(await readFits(placed.body.id)).toEqual([yamaha('not_confirmed'), undefined])
  })

  test('is placed without a bike that is removed at the same time', async () => {
    const cbr = await aBike(shop, { make: 'Honda', model: 'CBR600RR', year: 2008 })
    const { status, body } = await whileRemoved(shop, cbr, () => place([line(fitting, cbr)], rider))
    expect(status).toBe(200)
    expect(await readFits(body.id)).toEqual([undefined])
  })

  test('of the purchase screen has them, and so has its email', async () => {
    const { body } = await shop.call('confirmPurchase', {
      as: rider,
      body: { productId: fitting, quantity: 1, amount: 40, customerAddress: '1 Road', bikeId: r6 },
    })
    expect(await readFits(body.insertedId)).toEqual([yamaha('fits', 'front, rear')])
    const { intentId } = await payAtSandbox(shop, await openedFor(body.insertedId))
    await confirm(body.insertedId, intentId)
    const [email] = await sentEmails(shop.db, rider.email)
    expect(email?.body).toContain('Bike: 2009 Yamaha YZF-R6 · Fit when ordered: fits · Position: front, rear')
  })
})
