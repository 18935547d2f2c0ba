import { maxTime, minTime } from '../contract/dates.ts'

/**
 * Start of the day that is `later` days after `day`, in ISO 8601, or the nearest time that the shop accepts. Undefined if
 * `day` is not a valid date.
 */
export function startOfDay(day: string | undefined, later: number): string | undefined {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + later)
  if (Number.isNaN(date.getTime())) return undefined
  return new Date(Math.min(Math.max(date.getTime(), Date.parse(minTime)), Date.parse(maxTime))).toISOString()
}

/** The maximum of a time field, which the shop accepts from every time zone. Without one, its year takes six digits. */
export const latestTime = '9998-12-31T23:59'
