import { expect, test } from 'vitest'
import { formatDollars, multiplyPrice, toCents, toDollars, toWholeCents } from './money.ts'
import { parseDollars, toPlainDollars } from './typed-numbers.ts'

test('every amount of cents survives the conversion to dollars and back', () => {
  const wrong: number[] = []
  for (let cents = 1; cents <= 99_999_999; cents += 997) {
    const dollars = toDollars(cents)
    if (toCents(dollars) !== cents || toWholeCents(dollars) !== cents) wrong.push(cents)
  }
  expect(wrong.slice(0, 10)).toEqual([])
})

test.each([
  [3 * 12.9, 3870],
  [0.1 + 0.2, 30],
  [999_999.99, 99_999_999],
  [-12.5, -1250],
  [38.704, Number.NaN],
  [80.001, Number.NaN],
  [1e308, Number.NaN],
])('%d dollars are %d whole cents', (dollars, cents) => {
  expect(toWholeCents(dollars)).toBe(cents)
})

test.each([
  [12.9, 3, 38.7],
  [0.1, 3, 0.3],
  [1.1, 10, 11],
  [19.99, 100, 1999],
  [40, 2, 80],
])('%d dollars for each of %d pieces are %d dollars', (price, quantity, total) => {
  expect(multiplyPrice(price, quantity)).toBe(total)
})

test.each([
  [39, '$39', '39'],
  [12.5, '$12.50', '12.50'],
  [0.01, '$0.01', '0.01'],
  [1250, '$1,250', '1250'],
  [999_999.99, '$999,999.99', '999999.99'],
])('%d dollars are shown as %s, and as %s in a file', (dollars, shown, plain) => {
  expect(formatDollars(dollars)).toBe(shown)
  expect(toPlainDollars(dollars)).toBe(plain)
  expect(parseDollars(plain)).toBe(dollars)
})
