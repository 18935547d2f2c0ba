import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRefundedTax, toRestCents } from './rules.ts'

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
