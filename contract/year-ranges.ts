import { toYears } from './bike-urls.ts'

/** Joins consecutive years: `2006–2009, 2011`. */
export function toYearRanges(years: number[]): string {
  const ranges: { yearFrom: number; yearTo: number }[] = []
  for (const year of years.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last && last.yearTo + 1 === year) last.yearTo = year
    else ranges.push({ yearFrom: year, yearTo: year })
  }
  return ranges.map(toYears).join(', ')
}
