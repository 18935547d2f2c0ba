import { expect, test } from 'vitest'
import { parseDollars } from './typed-numbers.ts'

test.each([
  ['12.50', 12.5],
  ['12,50', 12.5],
  [' -12,5 ', -12.5],
  ['1250', 1250],
])('%j is the price %d', (text, dollars) => {
  expect(parseDollars(text)).toBe(dollars)
})

test.each(['1,000', '1.000', '1.000,50', '1,2,50', '12,', ',5', '12.345', '$12', '1e21', '.5', 'twelve', ''])(
  '%j is not a price',
  (text) => {
    expect(parseDollars(text)).toBe(text)
  },
)
