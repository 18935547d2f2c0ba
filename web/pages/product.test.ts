import { expect, test } from 'vitest'
import { productSummary } from './product.tsx'

const product = {
  _id: 'p1',
  name: 'Brake pads',
  image: '/pictures/brake-pads.svg',
  description: 'For the front.\n\n  One set does\tone caliper. ',
  minimum: 1,
  quantity: 1,
  price: 40,
  options: 'standard' as const,
}

test('contains kind, part number and description in one line', () => {
  expect(productSummary({ ...product, sku: 'GW-1' })).toBe(
    'Brake pads, GW-1: For the front. One set does one caliper.',
  )
})

test.each([
  ['many words', 'words '.repeat(50)],
  ['a sign of two halves where it is cut', `${'x'.repeat(147)}🏍️ ${'y'.repeat(50)}`],
  ['no words', '🏍️'.repeat(200)],
])('is cut between words, or between characters: %s', (_what, description) => {
  const line = productSummary({ ...product, description })
  expect(line.length).toBeLessThanOrEqual(161)
  expect(line).toMatch(/^Brake pads: .+…$/u)
  expect(line.isWellFormed()).toBe(true)
})
