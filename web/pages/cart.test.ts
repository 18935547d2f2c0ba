import { expect, test } from 'vitest'
import { explainMissing } from './cart.tsx'

const cart = { lines: [], total: 40, hasCoupons: false, mergeFailure: '', chargesAtCheckout: true }

test('a cart names the charges that are added at checkout', () => {
  const both = 'Shipping and tax are calculated at checkout.'
  expect(explainMissing({ ...cart, delivery: 'From $4.95', hasTax: false })).toBe(both)
  expect(explainMissing({ ...cart, delivery: 'Free to some places', hasTax: true })).toBe(both)
  expect(explainMissing({ ...cart, delivery: 'Free', hasTax: true })).toBe('Tax is calculated at checkout.')
  expect(explainMissing({ ...cart, delivery: 'Free', hasTax: false })).toBe('')
  expect(explainMissing({ ...cart, chargesAtCheckout: false })).toBe('')
})
