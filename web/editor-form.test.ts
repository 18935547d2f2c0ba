import { expect, test } from 'vitest'
import { toNumber } from './editor-form.tsx'

test.each([
  ['12.5', 12.5],
  [' 12,5 ', 12.5],
  ['-10,00', -10],
  ['8.875', 8.875],
  ['1,000', '1,000'],
  ['1.000,50', '1.000,50'],
  ['twelve', 'twelve'],
  [' ', undefined],
])('the typed text %j is %j', (text, expected) => {
  expect(toNumber(text)).toBe(expected)
})
