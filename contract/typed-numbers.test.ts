import { expect, test } from 'vitest'
import { parseDollars, parsePercent } from './typed-numbers.ts'

test.each(['12,50', '1,000', '1.000', '12.345', '$12', '1e21', '.5', 'twelve', ''])(
  '%j is not a price',
  (text) => {
    expect(parseDollars(text)).toBe(text)
  },
)

test.each([
  ['-10', -10],
  ['2.5', 2.5],
  ['2,5', 2.5],
  ['+7,25', 7.25],
  ['1,000', '1,000'],
  ['1,000.5', '1,000.5'],
  ['', ''],
])('typed per cent %j are read as %j', (text, percent) => {
  expect(parsePercent(text)).toBe(percent)
})
