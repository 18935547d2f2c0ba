import { expect, test } from 'vitest'
import { parseDollars, toOptionalWholeNumber, toWholeNumber } from './typed-numbers.ts'

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

test.each([
  ['30', 30],
  [' -2 ', -2],
  ['12.0', 12],
  ['12,00', 12],
  ['30.000', 0.5],
  ['1,000', 0.5],
  ['1.5', 0.5],
  ['twelve', 0.5],
])('the whole number %j is %d', (text, number) => {
  expect(toWholeNumber(text)).toBe(number)
})

test('a blank whole number is missing', () => {
  expect(toOptionalWholeNumber(' ')).toBeUndefined()
  expect(toOptionalWholeNumber()).toBeUndefined()
  expect(toOptionalWholeNumber('7')).toBe(7)
  expect(toOptionalWholeNumber(7)).toBe(7)
})
