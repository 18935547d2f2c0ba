import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { priceOrder } from './rules.ts'

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
      totalCents,
    })
  })

  test('keeps the other values of a line', () => {
    expect(priceOrder({ lines: [{ ...line(2, 50), variantId: 'v' }] }).lines).toEqual([
      { variantId: 'v', quantity: 2, unitPriceCents: 50, goodsCents: 100, totalCents: 100, taxCents: 0 },
    ])
  })
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
        const { charges, totalCents, ...priced } = priceOrder({
          lines,
          terms: { discount: code && { ...code, label: 'Code', isEligible }, ship: () => option, tax },
        })
        const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
        const added = charges.filter(({ isIncluded }) => !isIncluded)
        const taxCents = charges.find(({ kind }) => kind === 'tax')?.amountCents ?? 0
        expect(
          total([
            ...priced.lines.map(({ goodsCents }) => goodsCents),
            ...added.map(({ amountCents }) => amountCents),
          ]),
        ).toBe(totalCents)
        // The lines leave the rest to the shipping.
        const shipping = {
          totalCents: totalCents - total(priced.lines.map((share) => share.totalCents)),
          taxCents: taxCents - total(priced.lines.map((share) => share.taxCents)),
        }
        expect(option ? 0 : shipping.totalCents).toBe(0)
        for (const share of [...priced.lines, shipping]) {
          expect(share.taxCents).toBeGreaterThanOrEqual(0)
          expect(share.totalCents).toBeGreaterThanOrEqual(share.taxCents)
        }
      },
    ),
  )
})
