import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Checkout } from '../../../contract/checkout.ts'
import type { EditedShippingRate } from '../../../contract/shipping.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aProduct,
  payAtSandbox,
  someAddress,
} from '../../../tests/factories.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'

const shop = useTestShop({ mail: 'mailbox' })
const admin = useCustomer(() => anAdmin(shop))
const rider = useCustomer(() => aCustomer(shop))
/** Brake pads of 800 g for $40. */
let pads: string

beforeEach(async () => {
  pads = await aProduct(shop)
  await shop.db.updateTable('variants').set({ weight_grams: 800 }).execute()
})

const standard = { name: 'Standard', places: [], price: 5.95, position: 1 }
const express = { name: 'Express', note: '1–2 business days', places: [], price: 24.95, position: 2 }

async function addRates(...rates: EditedShippingRate[]): Promise<string[]> {
  const ids = rates.map(() => randomUUID())
  for (const [index, body] of rates.entries()) {
    const params = { id: ids[index] ?? '' }
    expect((await shop.call('saveShippingRate', { as: admin, params, body })).status).toBe(200)
  }
  return ids
}

const quote = async (quantity = 1, more = {}) =>
  (
    await shop.call('quoteCart', {
      body: { lines: [{ variantId: pads, quantity }], destination: { country: 'US', region: 'IL' }, ...more },
    })
  ).body
const order = (body: Checkout, key: string = randomUUID()) =>
  shop.call('checkOut', { as: rider, headers: { 'idempotency-key': key }, body })
const someLines = (quantity = 1) => [{ variantId: pads, quantity, unitPrice: 40 }]
const orderFor = (total: number, more: Partial<Checkout> = {}) =>
  order({ ...aCheckout(someLines()), total, ...more })

describe('shipping rates', () => {
  test('are added, changed and deleted by admins, and the audit has each change', async () => {
    const [id = ''] = await addRates({ ...standard, places: ['us', 'US-NY ', 'US 100'], maxWeight: 2000 })
    const edited = { ...standard, freeFrom: 100 }
    await shop.call('saveShippingRate', { as: admin, params: { id }, body: edited })
    expect((await shop.call('listShippingRates', { as: admin })).body).toEqual([
      { ...edited, id, revision: expect.any(String) },
    ])
    expect((await shop.call('deleteShippingRate', { as: admin, params: { id } })).status).toBe(200)
    expect((await shop.call('listShippingRates', { as: admin })).body).toEqual([])
    expect(await shop.call('deleteShippingRate', { as: admin, params: { id } })).toMatchObject(
      refused('NOT_FOUND'),
    )
    const { body } = await shop.call('listAudit', { as: admin, query: { area: 'rates' } })
    expect(body.entries[1]?.changes).toContainEqual({ field: 'freeFrom', before: undefined, after: '100' })
    expect(body.entries[2]?.changes).toContainEqual({ field: 'price', before: undefined, after: '5.95' })
    expect(body.entries.map(({ kind, subject }) => [kind, subject.name])).toEqual([
      ['deleted', 'Standard'],
      ['edited', 'Standard'],
      ['added', 'Standard'],
    ])
  })

  test.each([
    ['name', { name: '' }],
    ['price', { price: -1 }],
    ['price', { price: 1.005 }],
    ['places.0', { places: ['Germany'] }],
    ['places.0', { places: ['US-NEWYORK'] }],
    ['places.1', { places: ['GB', 'UK'] }],
    ['places.0', { places: ['US-FLO'] }],
    ['places.0', { places: ['AU-NSW'] }],
    ['maxWeight', { maxWeight: 0 }],
    ['freeFrom', { freeFrom: 0 }],
    ['pickupPlace', { pickupPlace: 'here' }],
    ['pickupPlace', { pickupPlace: '' }],
    ['pickupPlace', { pickupPlace: 'UK SW1A' }],
    ['pickupPlace', { pickupPlace: 'US-FLO 33101' }],
    ['pickupPlace', { pickupPlace: 'US' }],
    ['pickupPlace', { pickupPlace: 'DE' }],
    ['pickupPlace', { pickupPlace: 'US 787' }],
  ])('a wrong %s is an error of its field', async (field, values) => {
    const body = { ...standard, ...values }
    const response = await shop.call('saveShippingRate', { as: admin, params: { id: randomUUID() }, body })
    expect(response).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
  })
})

test.each(['US-TX', 'US 78701', 'CA M5V2T6', 'DE 10115', 'IE', 'PR'])(
  'a pickup can be in %s',
  async (pickupPlace) => {
    await addRates({ ...standard, pickupPlace })
    expect((await shop.call('listShippingRates', { as: admin })).body).toMatchObject([{ pickupPlace }])
  },
)

test('a preview has the options and the charges of an order', async () => {
  await addRates({ ...standard, places: ['US-NY'], freeFrom: 100, maxWeight: 2000 }, express)
  const preview = async (body: object) =>
    (await shop.call('previewCharges', { as: admin, body: { goods: 50, place: 'US-NY', ...body } })).body
  expect(await preview({})).toMatchObject({
    charges: [{ label: 'Shipping (Standard)', amount: 5.95 }],
    total: 55.95,
    shippingOptions: [{ name: 'Standard' }, { name: 'Express' }],
    problems: [],
  })
  expect(await preview({ goods: 100 })).toMatchObject({ charges: [{ amount: 0 }], total: 100 })
  expect(await preview({ weight: 2001 })).toMatchObject({ total: 74.95 })
  expect(await preview({ place: 'us' })).toMatchObject({ problems: [{ code: 'ADDRESS_INCOMPLETE' }] })
})

test.each(['UK', 'US-FLO'])('a preview for %s is an error of its place', async (place) => {
  const response = await shop.call('previewCharges', { as: admin, body: { goods: 50, place } })
  expect(response).toMatchObject({ status: 400, body: { fields: { place: expect.any(String) } } })
})

test('a stored rate for an unknown place is still listed', async () => {
  await sql`insert into shipping_rates (id, position, name, price_cents, places, pickup_place)
    values ('s', 1, 'Standard', 595, '{UK}', 'EU')`.execute(shop.db)
  await sql`insert into tax_rates (id, place, label, rate_ppm, is_included, taxes_shipping)
    values ('t', 'AU-NSW', 'GST', 100000, false, false)`.execute(shop.db)
  const shipping = await shop.call('listShippingRates', { as: admin })
  expect(shipping).toMatchObject({ status: 200, body: [{ places: ['UK'], pickupPlace: 'EU' }] })
  expect(await shop.call('listTaxRates', { as: admin })).toMatchObject({
    status: 200,
    body: [{ place: 'AU-NSW' }],
  })
})

test('a shipping rate has each place once', async () => {
  await addRates({ ...standard, places: ['PR', 'us-pr', 'FR 75', 'FR FR75', 'US'] })
  const { body } = await shop.call('listShippingRates', { as: admin })
  expect(body).toMatchObject([{ places: ['US-PR', 'FR 75', 'US'] }])
})

test('a shop has at most 200 shipping rates, and can still change them', async () => {
  const [id = ''] = await addRates(standard)
  await sql`insert into shipping_rates (id, position, name, price_cents)
    select 'r' || n, n, 'Rate', 1 from generate_series(2, 200) as n`.execute(shop.db)
  const save = (id: string) => shop.call('saveShippingRate', { as: admin, params: { id }, body: standard })
  expect(await save(randomUUID())).toMatchObject(refused('TOO_MANY_RATES'))
  expect((await save(id)).status).toBe(200)
})

const salesTax = {
  place: 'US-NY',
  label: 'Sales tax (NY)',
  rate: 8.875,
  included: false,
  taxesShipping: true,
}
const saveTax = (body: unknown, id: string = randomUUID()) =>
  shop.call('saveTaxRate', { as: admin, params: { id }, body })

describe('tax rates', () => {
  test('are added, changed and deleted by admins, and the audit has each change', async () => {
    const id = randomUUID()
    await saveTax({ ...salesTax, place: 'us-ny ' }, id)
    await saveTax({ ...salesTax, rate: 9 }, id)
    expect((await shop.call('listTaxRates', { as: admin })).body).toEqual([
      { ...salesTax, rate: 9, id, revision: expect.any(String) },
    ])
    expect((await shop.call('deleteTaxRate', { as: admin, params: { id } })).status).toBe(200)
    expect((await shop.call('listTaxRates', { as: admin })).body).toEqual([])
    expect(await shop.call('deleteTaxRate', { as: admin, params: { id } })).toMatchObject(
      refused('NOT_FOUND'),
    )
    const { body } = await shop.call('listAudit', { as: admin, query: { area: 'rates' } })
    expect(body.entries.map(({ kind, subject }) => [kind, subject.name])).toEqual([
      ['deleted', 'US-NY'],
      ['edited', 'US-NY'],
      ['added', 'US-NY'],
    ])
    expect(body.entries[1]?.changes).toEqual([{ field: 'rate', before: '8.875', after: '9' }])
  })

  test('exist once for a place', async () => {
    await saveTax(salesTax)
    expect(await saveTax(salesTax)).toMatchObject(refused('TAX_RATE_TAKEN'))
  })

  test.each([
    ['PR', 'US-PR', 'US-PR'],
    ['FR 75', 'FR FR75', 'FR 75'],
    ['PR 009', 'US 009', 'US 009'],
    ['JE JE', 'JE', 'JE'],
  ])('exist once for %s and %s', async (one, other, stored) => {
    const id = randomUUID()
    expect((await saveTax({ ...salesTax, place: one }, id)).body).toMatchObject({ place: stored })
    expect(await saveTax({ ...salesTax, place: other })).toMatchObject(refused('TAX_RATE_TAKEN'))
    expect((await saveTax({ ...salesTax, place: other }, id)).body).toMatchObject({ place: stored })
  })

  test('exist once for a place of an earlier version', async () => {
    await saveTax({ ...salesTax, place: 'PR' })
    await shop.db.updateTable('tax_rates').set({ place: 'PR' }).execute()
    expect(await saveTax({ ...salesTax, place: 'US-PR' })).toMatchObject(refused('TAX_RATE_TAKEN'))
  })

  test.each([
    ['place', { place: 'New York' }],
    ['place', { place: 'UK' }],
    ['place', { place: 'US-FLO' }],
    ['place', { place: 'AU-NSW' }],
    ['label', { label: ' ' }],
    ['rate', { rate: 0 }],
    ['rate', { rate: 100.1 }],
    ['rate', { rate: 8.87512 }],
  ])('a wrong %s is an error of its field', async (field, values) => {
    expect(await saveTax({ ...salesTax, ...values })).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
  })

  test('need a region of an address if one is for a region, and name their rate in the order', async () => {
    await saveTax(salesTax)
    const charged = { total: 40, chargesAtCheckout: true, hasTax: true }
    expect(await quote(1, { destination: undefined })).toMatchObject(charged)
    const incomplete = await quote(1, { destination: { country: 'US' } })
    expect(incomplete.problems.map(({ code }) => code)).toEqual(['ADDRESS_INCOMPLETE'])
    expect(await quote()).toMatchObject({ total: 40, charges: [], problems: [] })
    const tax = { kind: 'tax', label: 'Sales tax (NY) 8.875%', amount: 3.55, included: false }
    expect(await quote(1, { destination: { country: 'US', region: 'New York' } })).toMatchObject({
      total: 43.55,
      charges: [tax],
      shippingOptions: [],
    })
    // The ZIP code says where the parcel goes.
    const address = { ...someAddress, region: 'OR', postalCode: '10001' }
    const { body } = await orderFor(43.55, { address })
    const details = (await shop.call('getOrderDetails', { as: rider, params: { id: body.id } })).body
    expect(details).toMatchObject({ total: 43.55, charges: [tax] })
  })
})

describe('a quote', () => {
  test('without rates has no charges, with or without a destination', async () => {
    const expected = { total: 40, charges: [], chargesAtCheckout: false, shippingOptions: [], problems: [] }
    expect(await quote()).toMatchObject(expected)
    expect(await quote(1, { destination: undefined })).toMatchObject(expected)
  })

  test('without a destination has no charges, and says that there will be some', async () => {
    await addRates(standard)
    expect(await quote(1, { destination: undefined })).toMatchObject({
      total: 40,
      charges: [],
      chargesAtCheckout: true,
      hasTax: false,
      problems: [],
    })
  })

  test('has the cheapest option, or the chosen one, for the weight of all pieces', async () => {
    await addRates(
      { ...standard, maxWeight: 1000 },
      { ...standard, maxWeight: 5000, price: 8 },
      { ...express, places: ['US'] },
    )
    expect(await quote()).toMatchObject({
      total: 45.95,
      charges: [{ kind: 'shipping', label: 'Shipping (Standard)', amount: 5.95, included: false }],
      shippingRate: 'Standard',
      shippingOptions: [
        { name: 'Standard', note: '', price: 5.95, pickup: false },
        { name: 'Express', note: '1–2 business days', price: 24.95, pickup: false },
      ],
    })
    expect(await quote(2)).toMatchObject({ total: 88 })
    expect(await quote(2, { shippingRate: 'Express' })).toMatchObject({ total: 104.95 })
    expect(await quote(1, { shippingRate: 'Overnight' })).toMatchObject({ shippingRate: 'Standard' })
  })

  test('is free from the price of the goods that the rate names', async () => {
    await addRates({ ...standard, freeFrom: 80 })
    expect(await quote(1)).toMatchObject({ total: 45.95 })
    expect(await quote(2)).toMatchObject({ total: 80, shippingOptions: [{ price: 0 }] })
  })

  test('has a problem if nothing is shipped there, or if the address lacks what a rate needs', async () => {
    await addRates({ ...standard, places: ['US-NY'] })
    expect((await quote()).problems.map(({ code }) => code)).toEqual(['NO_SHIPPING'])
    const noRegion = await quote(1, { destination: { country: 'US' } })
    expect(noRegion.problems.map(({ code }) => code)).toEqual(['ADDRESS_INCOMPLETE'])
    const unknown = await quote(1, { destination: { country: 'US', region: 'Nowhere' } })
    expect(unknown.problems.map(({ code }) => code)).toEqual(['ADDRESS_INCOMPLETE'])
    const byName = await quote(1, { destination: { country: 'US', region: 'New York' } })
    expect(byName).toMatchObject({ problems: [], total: 45.95 })
  })
})

describe('an order', () => {
  test('has the charges of its quote, and keeps them when the rates change', async () => {
    const [id = ''] = await addRates(standard, express)
    const { body } = await orderFor(64.95, { shippingRate: 'Express' })
    expect(body.amount).toBe(64.95)
    await shop.call('saveShippingRate', { as: admin, params: { id }, body: { ...standard, price: 99 } })
    const charge = { kind: 'shipping', label: 'Shipping (Express)', amount: 24.95, included: false }
    const details = (await shop.call('getOrderDetails', { as: rider, params: { id: body.id } })).body
    expect(details).toMatchObject({ total: 64.95, charges: [charge], pickup: false })
    const specified = (await shop.call('getOrder', { as: rider, query: { id: body.id } })).body
    expect(specified).toMatchObject({ amount: 64.95, unitPrice: 40, charges: [charge] })
    const { body: payment } = await shop.call('openOrderPayment', { as: rider, params: { id: body.id } })
    expect(payment.amount).toBe(64.95)
    const paid = await payAtSandbox(shop, payment.clientSecret)
    expect(paid.body).toMatchObject({ amount: 6495 })
    await shop.call('confirmOrderPayment', {
      as: rider,
      params: { id: body.id },
      body: { transactionId: paid.intentId },
    })
    const [received] = await sentEmails(shop.db, rider.email)
    expect(received?.body).toMatch(/Shipping \(Express\).*\$24\.95.*Total.*\$64\.95/s)
    await expectConsistent(shop.db)
  })

  test('is not placed for another total, and the reply has the present quote', async () => {
    await addRates(standard)
    const reply = await orderFor(40)
    expect(reply).toMatchObject(refused('CART_CHANGED'))
    expect(reply.body).toMatchObject({ quote: { total: 45.95 } })
    expect(await readStock(shop, pads)).toBe(10)
  })

  test('is not placed if the chosen option is not offered any more, even for the same total', async () => {
    const [id = ''] = await addRates({ ...standard, name: 'Courier' })
    await addRates(standard)
    await shop.call('deleteShippingRate', { as: admin, params: { id } })
    const reply = await orderFor(45.95, { shippingRate: 'Courier' })
    expect(reply).toMatchObject(refused('CART_CHANGED'))
    expect(reply.body).toMatchObject({ quote: { shippingRate: 'Standard' } })
  })

  test('is refused where nothing is shipped to', async () => {
    await addRates({ ...standard, places: ['DE'] })
    expect(await orderFor(40)).toMatchObject(refused('NO_SHIPPING'))
    await addRates({ ...standard, places: ['IE D'] })
    const address = { ...someAddress, country: 'IE', region: '', postalCode: '' } as const
    expect(await orderFor(40, { address })).toMatchObject(refused('ADDRESS_INCOMPLETE'))
    expect(await readStock(shop, pads)).toBe(10)
  })

  test('is found by a repeated request, although the rate has changed', async () => {
    const [id = ''] = await addRates(standard)
    const key = randomUUID()
    const body = { ...aCheckout(someLines()), total: 45.95 }
    const first = await order(body, key)
    await shop.call('saveShippingRate', { as: admin, params: { id }, body: { ...standard, price: 7 } })
    expect((await order(body, key)).body).toEqual(first.body)
    expect(await readStock(shop, pads)).toBe(9)
  })

  test('is collected only if the buyer has chosen it, unless the shop ships nothing', async () => {
    const pickUp = { ...standard, name: 'Pick up', price: 0, pickupPlace: 'US-CA' }
    const [id = ''] = await addRates({ ...standard, maxWeight: 1000 }, pickUp)
    expect(await quote(2)).toMatchObject({
      charges: [],
      shippingOptions: [{ name: 'Pick up', pickup: true }],
      problems: [{ code: 'NO_SHIPPING', message: expect.stringContaining('select a pickup') }],
    })
    const twoPads = { ...aCheckout(someLines(2)), total: 80 }
    expect((await order(twoPads)).body.code).toBe('NO_SHIPPING')
    expect(await quote(2, { shippingRate: 'Pick up' })).toMatchObject({ problems: [], total: 80 })
    expect((await order({ ...twoPads, shippingRate: 'Pick up' })).status).toBe(200)
    await shop.call('deleteShippingRate', { as: admin, params: { id } })
    expect((await order(twoPads)).status).toBe(200)
  })

  test('can be collected', async () => {
    await addRates(standard, { ...standard, name: 'Pick up', price: 0, pickupPlace: 'US-CA' })
    const { body } = await orderFor(40, { shippingRate: 'Pick up' })
    const details = (await shop.call('getOrderDetails', { as: rider, params: { id: body.id } })).body
    expect(details).toMatchObject({
      total: 40,
      pickup: true,
      charges: [{ kind: 'shipping', label: 'Pick up', amount: 0 }],
    })
  })
})

describe('POST /confirm-purchase', () => {
  const purchase = (key: string = randomUUID()) =>
    shop.call('confirmPurchase', {
      as: rider,
      headers: { 'idempotency-key': key },
      body: { productId: pads, quantity: 1, amount: 40, customerAddress: '1 Road' },
    })

  test('places orders while everything is shipped for nothing everywhere', async () => {
    expect((await purchase()).status).toBe(200)
    await addRates({ ...standard, price: 0 }, express)
    expect((await purchase()).status).toBe(200)
  })

  test('is refused if a tax rate exists', async () => {
    await saveTax({ ...salesTax, place: 'DE', included: true })
    expect(await purchase()).toMatchObject(refused('CHECKOUT_REQUIRED'))
  })

  test.each([
    ['a price', { price: 5.95 }],
    ['a place', { price: 0, places: ['US'] }],
    ['a weight', { price: 0, maxWeight: 1000 }],
    ['a pickup', { price: 0, pickupPlace: 'US-IL' }],
  ])('is refused if the only rate has %s; an order that was placed before is found', async (_, values) => {
    const key = randomUUID()
    const first = await purchase(key)
    await addRates({ ...standard, ...values })
    const reply = await purchase()
    expect(reply).toMatchObject(refused('CHECKOUT_REQUIRED'))
    expect(reply.body).toMatchObject({ acknowledged: false })
    expect((await purchase(key)).body).toEqual(first.body)
    expect(await readStock(shop, pads)).toBe(9)
  })

  test.each([
    ['a price in one place', { price: 25, places: ['US-HI'] }],
    ['a price for light orders', { price: 5.95, maxWeight: 1000 }],
    ['a highest weight in one place', { price: 0, places: ['US-HI'], maxWeight: 1000 }],
    ['a pickup in one place', { price: 0, places: ['US-HI'], pickupPlace: 'US-HI' }],
  ])('is refused if another rate with the name of the free one has %s', async (_, values) => {
    await addRates({ ...standard, price: 0 }, { ...standard, ...values })
    expect(await purchase()).toMatchObject(refused('CHECKOUT_REQUIRED'))
    expect((await quote()).delivery).toBe('Free to some places')
    // Another name is still free.
    await addRates({ ...standard, name: 'Slow', price: 0 })
    expect((await purchase()).status).toBe(200)
    expect((await quote()).delivery).toBe('Free')
  })
})
