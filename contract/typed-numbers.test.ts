import { expect, test } from 'vitest'
import { parseDollars } from './typed-numbers.ts'

test.each(['12,50', '1,000', '1.000', '12.345', '$12', '1e21', '.5', 'twelve', ''])(
  '%j is not a price',
  (text) => {
    expect(parseDollars(text)).toBe(text)
  },
)
