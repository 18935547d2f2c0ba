import { expect, test } from 'vitest'
import { formatWaitingTime, tooManyAttempts, tooManyCodes } from './waiting-time.ts'

test.each([
  [1, '1 second'],
  [5, '5 seconds'],
  [59.2, '1 minute'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [900, '15 minutes'],
  [3541, '1 hour'],
  [3600, '1 hour'],
  [7200, '2 hours'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatWaitingTime(seconds)).toBe(text)
})

test('a message without a waiting time says to try again later', () => {
  expect(tooManyAttempts(undefined)).toBe('Too many attempts. Try again later.')
  expect(tooManyCodes(undefined)).toBe('Too many codes were tried. Order without a code, or try again later.')
})
