import { expect, test } from 'vitest'
import { formatDate, formatMoment, formatTime, formatUtcDate, formatUtcMoment } from './dates.ts'

test('dates have one format, in the time zone of the reader or in UTC', () => {
  const local = new Date(2026, 10, 5, 9, 8)
  expect(formatDate(local)).toBe('5 November 2026')
  expect(formatTime(local)).toBe('09:08')
  expect(formatMoment(local.toISOString())).toBe('5 November 2026, 09:08')
  expect(formatUtcDate('2026-11-20')).toBe('20 November 2026')
  expect(formatUtcMoment(new Date('2026-11-20T21:48:59Z'))).toBe('20 November 2026, 21:48 UTC')
})
