import { ShopError } from '../../platform/shop-error.ts'

/** Position in the list: newest first; at the same time, by area and then by id. */
export interface Cursor {
  /** Microseconds since 1970, as in Postgres; a Date has only milliseconds. */
  micros: number
  /** Index of the area in `auditAreas`. */
  rank: number
  id: number
}

export const encodeCursor = ({ micros, rank, id }: Cursor): string => `${micros}.${rank}.${id}`

/** @throws INVALID_REQUEST */
export function decodeCursor(text: string): Cursor {
  const [, micros, rank, id] = /^(\d{1,16})\.(\d)\.(\d{1,15})$/.exec(text) ?? []
  if (!micros || Number(micros) > Number.MAX_SAFE_INTEGER) {
    throw new ShopError('INVALID_REQUEST', { fields: { after: 'This cursor is not valid' } })
  }
  return { micros: Number(micros), rank: Number(rank), id: Number(id) }
}
