import { ShopError } from '../../platform/shop-error.ts'

/** Where a change stands among all: the newest first, those of one moment by area and number. */
export interface Cursor {
  /** Since 1970. Postgres counts microseconds, and a Date only milliseconds. */
  micros: number
  /** Place of the area in `auditAreas`. */
  rank: number
  id: number
}

export const encodeCursor = ({ micros, rank, id }: Cursor): string => `${micros}.${rank}.${id}`

/** @throws INVALID_REQUEST */
export function decodeCursor(text: string): Cursor {
  const [, micros, rank, id] = /^(\d{1,16})\.(\d)\.(\d{1,15})$/.exec(text) ?? []
  if (!micros || Number(micros) > Number.MAX_SAFE_INTEGER) {
    throw new ShopError('INVALID_REQUEST', { fields: { after: 'This is not where a page ends' } })
  }
  return { micros: Number(micros), rank: Number(rank), id: Number(id) }
}
