/** The first and the last time that Postgres stores and that has a year of four digits in UTC. */
export const minTime = '0001-01-01T00:00:00.000Z'
export const maxTime = '9999-12-31T23:59:59.999Z'

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })
const utcDays = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const utcMonthDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const times = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const utcTimes = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' })

/** Returns a date such as `20 November 2026`, in the time zone of the reader. */
export const formatDate = (at: string | Date): string => days.format(new Date(at))

/** Returns the same date for all readers: for birthdays, documents and emails. */
export const formatUtcDate = (at: string | Date): string => utcDays.format(new Date(at))

/** Returns a near date such as `20 November`, the same for all readers. */
export const formatUtcDay = (at: string | Date): string => utcMonthDays.format(new Date(at))

/** Returns a time such as `21:48`, in the time zone of the reader. */
export const formatTime = (at: string | Date): string => times.format(new Date(at))

/** Returns a date and time such as `20 November 2026, 21:48`, in the time zone of the reader. */
export const formatMoment = (at: string | Date): string => `${formatDate(at)}, ${formatTime(at)}`

/** Returns the same date and time for all readers, such as `20 November 2026, 21:48 UTC`. */
export const formatUtcMoment = (at: string | Date): string =>
  `${formatUtcDate(at)}, ${utcTimes.format(new Date(at))} UTC`
