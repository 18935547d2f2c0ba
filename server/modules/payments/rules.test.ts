import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRestCents, toWorthCents } from '../../../contract/refund-amounts.ts'
import { toRefundedTax } from './rules.ts'

test.each([
  ['three pieces', 6529, 532, [2176, 2177, 2176], [177, 178, 177]],
  ['a lowered first refund', 6529, 532, [1850, 2177, 2176], [151, 177, 177]],
  ['included tax', 17_925, 2988, [5378, 12_547], [896, 2092]],
  ['a line that cost nothing', 0, 0, [], []],
])('the tax of refunds of %s', (_, totalCents, taxCents, amounts, taxes) => {
  let refundedCents = 0
  const found = amounts.map((cents) => {
    const tax = toRefundedTax({ totalCents, taxCents, refundedCents }, cents)
    refundedCents += cents
    return tax
  })
  expect(found).toEqual(taxes)
})

test('refunds of the whole total have all of its tax', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 10 }),
      (totalCents, taxPpm, parts) => {
        const taxCents = Math.floor((totalCents * taxPpm) / 1_000_000)
        const line = { totalCents, taxCents, refundedCents: 0 }
        let refundedTax = 0
        const refund = (cents: number) => {
          const tax = toRefundedTax(line, cents)
          expect(tax).toBeGreaterThanOrEqual(0)
          expect(tax).toBeLessThanOrEqual(cents)
          refundedTax += tax
          line.refundedCents += cents
        }
        for (const part of parts) refund(Math.min(part, toRestCents(line)))
        refund(toRestCents(line))
        expect(refundedTax).toBe(taxCents)
      },
    ),
  )
})

test.each([
  ['one after the other', 10_000, 3, [1, 1, 1], [3333, 3334, 3333]],
  ['two, then one', 10_000, 3, [2, 1], [6667, 3333]],
  ['three of ten', 17_925, 10, [3, 7], [5378, 12_547]],
  ['with a share of a discount', 4801, 2, [1, 1], [2401, 2400]],
  ['for less than a cent', 5, 7, [1, 1, 1, 1, 1, 1, 1], [1, 0, 1, 1, 1, 0, 1]],
  ['of shipping, which has none', 1295, 0, [0], [0]],
])('the worth of pieces, %s', (_, totalCents, pieces, counts, worths) => {
  const line = { totalCents, pieces, refundedCents: 0, refundedPieces: 0 }
  const found = counts.map((count) => {
    const worth = toWorthCents(line, count)
    line.refundedCents += worth
    line.refundedPieces += count
    return worth
  })
  expect(found).toEqual(worths)
})

test('pieces are worth no more than what is left after a refund without pieces', () => {
  const line = { totalCents: 10_000, pieces: 2, refundedCents: 6000, refundedPieces: 0 }
  expect(toWorthCents(line, 1)).toBe(4000)
})
