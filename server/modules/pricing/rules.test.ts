import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DiscountTerms, priceOrder, type Terms } from './rules.ts'

/** A line of the largest quantity and price. */
const largest = { quantity: 1_000_000, unitPriceCents: 99_999_900 }
const line = (quantity: number, unitPriceCents: number) => ({ quantity, unitPriceCents })

describe('without charges', () => {
  test.each([
    ['no lines', [], [], 0],
    ['one piece', [line(1, 4000)], [4000], 4000],
    ['several lines', [line(2, 4000), line(1, 20_000)], [8000, 20_000], 28_000],
    ['cents that are not exact as dollars', [line(3, 1290), line(1, 10), line(1, 20)], [3870, 10, 20], 3900],
    ['a line without a price', [line(5, 0), line(1, 199)], [0, 199], 199],
    [
      'two of the largest lines',
      [largest, largest],
      [99_999_900_000_000, 99_999_900_000_000],
      199_999_800_000_000,
    ],
  ])('%s', (_, lines, totals, totalCents) => {
    const priced = priceOrder({ lines })
    expect(priced).toEqual({
      lines: lines.map((each, index) => ({
        ...each,
        goodsCents: totals[index],
        totalCents: totals[index],
        taxCents: 0,
      })),
      charges: [],
      shippingShare: { totalCents: 0, taxCents: 0 },
      totalCents,
    })
  })

  test('keeps the other values of a line', () => {
    expect(priceOrder({ lines: [{ ...line(2, 50), variantId: 'v' }] }).lines).toEqual([
      { variantId: 'v', quantity: 2, unitPriceCents: 50, goodsCents: 100, totalCents: 100, taxCents: 0 },
    ])
  })
})

const percent = (rate: number) => Math.round(rate * 10_000)
const included = (rate: number) => ({
  label: 'Tax',
  ppm: percent(rate),
  isIncluded: true,
  taxesShipping: true,
})
const added = (rate: number) => ({ ...included(rate), isIncluded: false })
const all = [true, true, true]
const off = (rate: number): DiscountTerms => ({
  label: 'Code',
  kind: 'percent',
  ppm: percent(rate),
  isEligible: all,
})
const shipping =
  (cents: number, cheapestCents = cents, freeFromCents = Infinity) =>
  (goodsCents: number) => ({
    label: 'Shipping',
    cents: goodsCents >= freeFromCents ? 0 : cents,
    cheapestCents,
  })
const one = (cents: number) => line(1, cents)

/** An order of the golden table. Amounts in cents; the tax of each line, then of the shipping. */
interface Golden {
  lines: ReturnType<typeof line>[]
  terms: Terms
  discount?: number
  ships?: number
  tax?: number
  taxes?: number[]
  amount: number
}

test.each<[string, Golden]>([
  [
    'a discount and an included tax',
    {
      lines: [line(10, 2390)],
      terms: { discount: off(25), tax: included(20) },
      discount: 5975,
      tax: 2988,
      amount: 17_925,
    },
  ],
  [
    'shipping and an added tax',
    {
      lines: [one(4500), one(4900)],
      terms: { ship: shipping(496), tax: added(21) },
      ships: 496,
      tax: 2078,
      taxes: [945, 1029, 104],
      amount: 11_974,
    },
  ],
  [
    'an amount that three equal lines share',
    {
      lines: [one(1000), one(1000), one(1000)],
      terms: {
        discount: { label: 'Code', kind: 'amount', cents: 1000, isEligible: all },
        tax: included(19),
      },
      discount: 1000,
      tax: 319,
      taxes: [106, 107, 106, 0],
      amount: 2000,
    },
  ],
  [
    'a rate with three decimals',
    { lines: [line(3, 1999)], terms: { tax: added(8.875) }, tax: 532, amount: 6529 },
  ],
  [
    'half a cent of tax',
    {
      lines: Array.from({ length: 10 }, () => one(105)),
      terms: { tax: added(5) },
      tax: 53,
      taxes: [6, 6, 6, 5, 5, 5, 5, 5, 5, 5, 0],
      amount: 1103,
    },
  ],
  [
    'goods that are too cheap for free shipping after the discount',
    {
      lines: [one(10_000)],
      terms: { discount: off(10), ship: shipping(595, 595, 10_000), tax: included(19) },
      discount: 1000,
      ships: 595,
      tax: 1532,
      taxes: [1437, 95],
      amount: 9595,
    },
  ],
  [
    'goods that are dear enough',
    {
      lines: [one(11_112)],
      terms: { discount: off(10), ship: shipping(595, 595, 10_000), tax: included(19) },
      discount: 1111,
      ships: 0,
      tax: 1597,
      amount: 10_001,
    },
  ],
  [
    'free shipping by a code',
    {
      lines: [one(4000)],
      terms: {
        discount: { label: 'Code', kind: 'shipping', isEligible: all },
        ship: shipping(595),
        tax: included(20),
      },
      discount: 595,
      ships: 595,
      tax: 667,
      amount: 4000,
    },
  ],
  [
    'a dearer option with such a code',
    {
      lines: [one(4000)],
      terms: {
        discount: { label: 'Code', kind: 'shipping', isEligible: all },
        ship: shipping(2495, 595),
        tax: included(20),
      },
      discount: 595,
      ships: 2495,
      tax: 983,
      taxes: [666, 317],
      amount: 5900,
    },
  ],
  [
    'an added tax on shipping by weight',
    {
      lines: [line(2, 2500)],
      terms: { ship: shipping(800), tax: included(21) },
      ships: 800,
      tax: 1007,
      taxes: [868, 139],
      amount: 5800,
    },
  ],
  [
    'a code for one brand',
    {
      lines: [one(3000), one(2000)],
      terms: {
        discount: { label: 'Code', kind: 'amount', cents: 5000, isEligible: [true, false] },
        tax: added(6),
      },
      discount: 3000,
      tax: 120,
      taxes: [0, 120, 0],
      amount: 2120,
    },
  ],
  [
    'shipping that is not taxed',
    {
      lines: [one(8999)],
      terms: { ship: shipping(1295), tax: { ...added(6.25), taxesShipping: false } },
      ships: 1295,
      tax: 562,
      taxes: [562, 0],
      amount: 10_856,
    },
  ],
  [
    'lines of a cent',
    {
      lines: [one(1), one(1), one(1)],
      terms: { discount: off(50), ship: shipping(500), tax: added(7) },
      discount: 2,
      ships: 500,
      tax: 35,
      taxes: [0, 0, 0, 35],
      amount: 536,
    },
  ],
  [
    'a pickup',
    {
      lines: [one(4900)],
      terms: { ship: shipping(0, 595), tax: added(8.25) },
      ships: 0,
      tax: 404,
      amount: 5304,
    },
  ],
  [
    'the same order, shipped',
    {
      lines: [one(4900)],
      terms: { ship: shipping(595), tax: added(8.875) },
      ships: 595,
      tax: 488,
      taxes: [435, 53],
      amount: 5983,
    },
  ],
  [
    'all charges',
    {
      lines: [one(12_990), line(2, 2450)],
      terms: { discount: off(10), ship: shipping(1295), tax: added(8.875) },
      discount: 1789,
      ships: 1295,
      tax: 1544,
      taxes: [1038, 391, 115],
      amount: 18_940,
    },
  ],
])('%s', (_, { lines, terms, discount, ships, tax, taxes, amount }) => {
  const priced = priceOrder({ lines, terms })
  const charge = (kind: string) => priced.charges.find((each) => each.kind === kind)?.amountCents
  expect({ discount: charge('discount'), ships: charge('shipping'), tax: charge('tax') }).toEqual({
    discount: discount && -discount,
    ships,
    tax,
  })
  const shares = [...priced.lines, priced.shippingShare].map(({ taxCents }) => taxCents)
  expect(shares).toEqual(taxes ?? shares)
  expect(priced.totalCents).toBe(amount)
})

test('shares of any order add up to its amount, and none is negative', () => {
  const cents = fc.integer({ min: 0, max: 99_999_900 })
  const lineOf = fc.record({ quantity: fc.integer({ min: 1, max: 1000 }), unitPriceCents: cents })
  const discount = fc.oneof(
    fc.record({ kind: fc.constant('percent' as const), ppm: fc.integer({ min: 1, max: 1_000_000 }) }),
    fc.record({ kind: fc.constant('amount' as const), cents }),
    fc.constant({ kind: 'shipping' as const }),
  )
  const tax = fc.record({
    label: fc.constant('Tax'),
    ppm: fc.integer({ min: 1, max: 1_000_000 }),
    isIncluded: fc.boolean(),
    taxesShipping: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(lineOf, { minLength: 1, maxLength: 50 }),
      fc.option(discount),
      fc.option(fc.record({ label: fc.constant('Shipping'), cents, cheapestCents: cents })),
      fc.option(tax),
      (lines, code, option, tax) => {
        const isEligible = lines.map(({ quantity }) => quantity % 2 === 0)
        const { charges, shippingShare, totalCents, ...priced } = priceOrder({
          lines,
          terms: { discount: code && { ...code, label: 'Code', isEligible }, ship: () => option, tax },
        })
        const shares = [...priced.lines, shippingShare]
        const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
        const added = charges.filter(({ isIncluded }) => !isIncluded)
        const taxCents = charges.find(({ kind }) => kind === 'tax')?.amountCents ?? 0
        expect(total(shares.map((share) => share.totalCents))).toBe(totalCents)
        expect(total(shares.map((share) => share.taxCents))).toBe(taxCents)
        expect(
          total([
            ...priced.lines.map(({ goodsCents }) => goodsCents),
            ...added.map(({ amountCents }) => amountCents),
          ]),
        ).toBe(totalCents)
        for (const share of shares) {
          expect(share.taxCents).toBeGreaterThanOrEqual(0)
          expect(share.totalCents).toBeGreaterThanOrEqual(share.taxCents)
        }
      },
    ),
  )
})
