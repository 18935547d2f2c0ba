import { expect, test } from 'vitest'
import { priceOrder } from './rules.ts'

/** A line of the largest quantity and price. */
const largest = { quantity: 1_000_000, unitPriceCents: 99_999_900 }
const line = (quantity: number, unitPriceCents: number) => ({ quantity, unitPriceCents })

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
    lines: lines.map((each, index) => ({ ...each, totalCents: totals[index] })),
    charges: [],
    totalCents,
  })
})

test('keeps the other values of a line', () => {
  expect(priceOrder({ lines: [{ ...line(2, 50), variantId: 'v' }] }).lines).toEqual([
    { variantId: 'v', quantity: 2, unitPriceCents: 50, totalCents: 100 },
  ])
})
