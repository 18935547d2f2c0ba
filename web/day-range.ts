/** Start of the day that is `later` days after `day`, in ISO 8601. Undefined if `day` is not a valid date. */
export function startOfDay(day: string | undefined, later: number): string | undefined {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + later)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** The maximum of a time field. Without one, its year takes six digits. */
export const latestTime = '9999-12-31T23:59'
