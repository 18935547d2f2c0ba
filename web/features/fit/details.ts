import type { Fitment } from '../../../contract/fitments.ts'

/** Lists the place of a fitment, such as `Front, 2 per bike`, and its note. */
export function listDetails({ position, pieces, note }: Fitment): string[] {
  const place = [position, pieces && `${pieces} per bike`].filter(Boolean).join(', ')
  const sentence = place && place[0]?.toUpperCase() + place.slice(1)
  return [sentence, note && `Note: ${note}`].flatMap((text) => text || [])
}
