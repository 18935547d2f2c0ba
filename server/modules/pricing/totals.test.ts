import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EditedCoupon } from '../../../contract/coupons.ts'
import { toCents } from '../../../contract/money.ts'
import type { EditedShippingRate } from '../../../contract/shipping.ts'
import type { EditedTaxRate } from '../../../contract/tax.ts'
import { aCheckout, aCustomer, aPlacedCheckout, aProduct, someAddress } from '../../../tests/factories.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import * as pricing from './service.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

interface Line {
  price: number
  quantity?: number
  brand?: string
  grams?: number
}

const postalCodes = { IL: '62701', NY: '10001', HI: '96813' }

/** An example of an order, with its amounts in dollars. */
interface Golden {
  lines: Line[]
  rates?: Partial<EditedShippingRate>[]
  tax?: Partial<EditedTaxRate> & { rate: number }
  taxes?: (Partial<EditedTaxRate> & { rate: number })[]
  code?: Partial<EditedCoupon>
  /** Name of the chosen option. */
  chosen?: string
  region?: keyof typeof postalCodes
  expected: {
    discount?: number
    shipping?: number
    tax?: number
    /** The amount of each line, and the tax in it. */
    totals?: number[]
    lineTaxes?: number[]
    amount: number
  }
}

const standard = (price: number, more: Partial<EditedShippingRate> = {}) => ({ price, ...more })
const express = { name: 'Express', price: 24.95 }
const pickup = { name: 'Pickup', price: 0, pickupPlace: 'US 78701' }
const percent = (rate: number) => ({ kind: 'percent' as const, rate })
const amount = (amount: number) => ({ kind: 'amount' as const, amount })
const freeShipping = { kind: 'shipping' as const }
const added = (rate: number, more: Partial<EditedTaxRate> = {}) => ({ rate, included: false, ...more })
const included = (rate: number) => ({ rate, included: true })
const newYorkAndTexas = [added(8.875, { place: 'US-NY' }), added(8.25, { place: 'US-TX' })]

/** Worked examples by number, each computed with a calculator. Example 17 has no order. */
const golden: [string, Golden][] = [
  [
    '1: a percentage, included tax',
    {
      lines: [{ quantity: 10, price: 23.9 }],
      code: percent(25),
      tax: included(20),
      expected: { discount: 59.75, tax: 29.88, totals: [179.25], lineTaxes: [29.88], amount: 179.25 },
    },
  ],
  [
    '2: shipping, added tax',
    {
      lines: [{ price: 45 }, { price: 49 }],
      rates: [standard(4.96)],
      tax: added(21),
      expected: {
        shipping: 4.96,
        tax: 20.78,
        totals: [54.45, 59.29],
        lineTaxes: [9.45, 10.29],
        amount: 119.74,
      },
    },
  ],
  [
    '3: an amount for three equal lines',
    {
      lines: [{ price: 10 }, { price: 10 }, { price: 10 }],
      code: amount(10),
      tax: included(19),
      expected: {
        discount: 10,
        tax: 3.19,
        totals: [6.66, 6.67, 6.67],
        lineTaxes: [1.06, 1.07, 1.06],
        amount: 20,
      },
    },
  ],
  [
    '4: a rate with three decimals',
    { lines: [{ quantity: 3, price: 19.99 }], tax: added(8.875), expected: { tax: 5.32, amount: 65.29 } },
  ],
  [
    '5: half a cent',
    {
      lines: Array.from({ length: 10 }, () => ({ price: 1.05 })),
      tax: added(5),
      expected: {
        tax: 0.53,
        lineTaxes: [0.06, 0.06, 0.06, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
        amount: 11.03,
      },
    },
  ],
  [
    '6: too cheap for free shipping after the discount',
    {
      lines: [{ price: 100 }],
      rates: [standard(5.95, { freeFrom: 100 })],
      code: percent(10),
      tax: included(19),
      expected: { discount: 10, shipping: 5.95, tax: 15.32, lineTaxes: [14.37], amount: 95.95 },
    },
  ],
  [
    '7: dear enough for free shipping after the discount',
    {
      lines: [{ price: 111.12 }],
      rates: [standard(5.95, { freeFrom: 100 })],
      code: percent(10),
      tax: included(19),
      expected: { discount: 11.11, shipping: 0, tax: 15.97, amount: 100.01 },
    },
  ],
  [
    '8: free shipping by a code',
    {
      lines: [{ price: 40 }],
      rates: [standard(5.95), express],
      code: freeShipping,
      tax: included(20),
      expected: { discount: 5.95, shipping: 5.95, tax: 6.67, totals: [40], amount: 40 },
    },
  ],
  [
    '9: such a code with a dearer option',
    {
      lines: [{ price: 40 }],
      rates: [standard(5.95), express],
      chosen: 'Express',
      code: freeShipping,
      tax: included(20),
      expected: { discount: 5.95, shipping: 24.95, tax: 9.83, lineTaxes: [6.66], amount: 59 },
    },
  ],
  [
    '10: shipping by weight',
    {
      lines: [{ quantity: 2, price: 25, grams: 1150 }],
      rates: [standard(5, { maxWeight: 1000 }), standard(8, { maxWeight: 5000 })],
      tax: included(21),
      expected: { shipping: 8, tax: 10.07, lineTaxes: [8.68], amount: 58 },
    },
  ],
  [
    '11: an amount for one brand',
    {
      lines: [
        { price: 30, brand: 'Corvane' },
        { price: 20, brand: 'Grauwerk' },
      ],
      code: { ...amount(50), brand: 'Corvane' },
      tax: added(6),
      expected: { discount: 30, tax: 1.2, totals: [0, 21.2], lineTaxes: [0, 1.2], amount: 21.2 },
    },
  ],
  [
    '12: shipping that is not taxed',
    {
      lines: [{ price: 89.99 }],
      rates: [standard(12.95)],
      tax: added(6.25, { taxesShipping: false }),
      expected: { shipping: 12.95, tax: 5.62, lineTaxes: [5.62], amount: 108.56 },
    },
  ],
  [
    '13: lines of a cent',
    {
      lines: [{ price: 0.01 }, { price: 0.01 }, { price: 0.01 }],
      rates: [standard(5)],
      code: percent(50),
      tax: added(7),
      expected: {
        discount: 0.02,
        shipping: 5,
        tax: 0.35,
        totals: [0, 0, 0.01],
        lineTaxes: [0, 0, 0],
        amount: 5.36,
      },
    },
  ],
  [
    '14: a pickup has the tax of its place',
    {
      lines: [{ price: 49 }],
      rates: [standard(5.95), pickup],
      chosen: 'Pickup',
      taxes: newYorkAndTexas,
      region: 'NY',
      expected: { shipping: 0, tax: 4.04, amount: 53.04 },
    },
  ],
  [
    '15: the same, shipped',
    {
      lines: [{ price: 49 }],
      rates: [standard(5.95), pickup],
      taxes: newYorkAndTexas,
      region: 'NY',
      expected: { shipping: 5.95, tax: 4.88, lineTaxes: [4.35], amount: 59.83 },
    },
  ],
  [
    '16: all charges',
    {
      lines: [{ price: 129.9 }, { quantity: 2, price: 24.5 }],
      rates: [standard(12.95)],
      code: percent(10),
      tax: added(8.875),
      expected: {
        discount: 17.89,
        shipping: 12.95,
        tax: 15.44,
        totals: [127.29, 48.01],
        lineTaxes: [10.38, 3.91],
        amount: 189.4,
      },
    },
  ],
]

async function configure({ lines, rates = [], tax, taxes = tax ? [tax] : [], code }: Golden) {
  for (const [position, rate] of rates.entries())
    await pricing.saveShippingRate(
      shop.db,
      randomUUID(),
      { name: 'Standard', places: [], position, price: 0, ...rate },
      null,
    )
  for (const each of taxes)
    await pricing.saveTaxRate(
      shop.db,
      randomUUID(),
      { place: 'US', label: 'Tax', included: false, taxesShipping: true, ...each },
      null,
    )
  const products: string[] = []
  for (const { price, brand, grams } of lines) {
    const id = await aProduct(shop, { price, ...(brand && { brand }) })
    if (grams)
      await shop.db.updateTable('variants').set({ weight_grams: grams }).where('id', '=', id).execute()
    products.push(id)
  }
  if (code)
    await pricing.saveCoupon(
      shop.db,
      randomUUID(),
      { code: 'GOLDEN', kind: 'percent', oncePerBuyer: false, ...code },
      null,
    )
  return lines.map(({ price, quantity = 1 }, index) => ({
    variantId: products[index] ?? '',
    quantity,
    unitPrice: price,
  }))
}

test.each(golden)('quote, order and payment of example %s', async (_, row) => {
  const { code, chosen, region = 'IL', expected } = row
  const lines = await configure(row)
  const choice = {
    ...(code && { coupon: 'golden' }),
    ...(chosen !== undefined && { shippingRate: chosen }),
  }
  const { body: quote } = await shop.call('quoteCart', {
    body: { lines, destination: { country: 'US', region }, ...choice },
  })
  const charge = (kind: string) => quote.charges.find((each) => each.kind === kind)?.amount
  expect({ ...quote, charges: undefined, lines: undefined }).toMatchObject({
    problems: [],
    total: expected.amount,
  })
  expect({ discount: charge('discount'), shipping: charge('shipping'), tax: charge('tax') }).toEqual({
    discount: expected.discount && -expected.discount,
    shipping: expected.shipping,
    tax: expected.tax,
  })

  const address = { ...someAddress, region, postalCode: postalCodes[region] }
  const body = { ...aCheckout(lines), total: expected.amount, address, ...choice }
  const id = await aPlacedCheckout(shop, rider, body)
  const { body: details } = await shop.call('getOrderDetails', { as: rider, params: { id } })
  expect(details).toMatchObject({ total: expected.amount, charges: quote.charges })
  const { body: payment } = await shop.call('openOrderPayment', { as: rider, params: { id } })
  expect(payment.amount).toBe(expected.amount)
  const stored = await shop.db.selectFrom('payments').select('amount_cents').executeTakeFirstOrThrow()
  expect(stored.amount_cents).toBe(toCents(expected.amount))

  const shares = await shop.db
    .selectFrom('order_lines')
    .select(['total_cents', 'tax_cents'])
    .orderBy('line_number')
    .execute()
  const [totals, taxes] = [
    shares.map(({ total_cents }) => total_cents),
    shares.map(({ tax_cents }) => tax_cents),
  ]
  expect(totals).toEqual(expected.totals?.map(toCents) ?? totals)
  expect(taxes).toEqual(expected.lineTaxes?.map(toCents) ?? taxes)
  await expectConsistent(shop.db)
})

test('example 17: nothing is shipped that the most specific place is too light for', async () => {
  const lines = await configure({
    lines: [{ price: 40, grams: 15_000 }],
    rates: [
      standard(5, { places: ['US'], maxWeight: 30_000 }),
      standard(9, { places: ['US-HI'], maxWeight: 10_000 }),
    ],
    expected: { amount: 0 },
  })
  const { body: quote } = await shop.call('quoteCart', {
    body: { lines, destination: { country: 'US', region: 'HI' } },
  })
  expect(quote.problems).toMatchObject([{ code: 'NO_SHIPPING' }])
  const order = await shop.call('checkOut', {
    as: rider,
    headers: { 'idempotency-key': randomUUID() },
    body: { ...aCheckout(lines), address: { ...someAddress, region: 'HI', postalCode: postalCodes.HI } },
  })
  expect(order).toMatchObject(refused('NO_SHIPPING'))
})
