import { afterEach, describe, expect, test, vi } from 'vitest'
import { timestamp } from '../contract/fields.ts'
import { latestTime, startOfDay } from './day-range.ts'

afterEach(() => vi.unstubAllEnvs())

describe.each(['Pacific/Kiritimati', 'UTC', 'America/New_York'])('in the time zone %s', (zone) => {
  test.each([
    ['0001-01-01', 0],
    ['9999-12-31', 1],
  ])('the shop accepts the start of %s, %i days later', (day, later) => {
    vi.stubEnv('TZ', zone)
    const start = startOfDay(day, later)
    expect(timestamp.parse(start)).toBe(start)
  })

  test('the shop accepts the maximum of a time field', () => {
    vi.stubEnv('TZ', zone)
    const latest = new Date(latestTime).toISOString()
    expect(timestamp.parse(latest)).toBe(latest)
  })
})

test('a day that is not valid has no start', () => {
  expect(startOfDay('2026-02-31x', 0)).toBeUndefined()
  expect(startOfDay(undefined, 1)).toBeUndefined()
})
