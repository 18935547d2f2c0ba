import type { PackedLine, PackingSlip } from '../../../contract/packing.ts'
import { isSameCode } from '../../../contract/part-numbers.ts'
import { withdrawnWarning } from './order-labels.tsx'
import { byShelf } from './pick-list.ts'

/** A line to pack. */
export interface LineToPack extends PackedLine {
  /** The first line of an order is 1. */
  number: number
  ticked: number
}

/** An order that is being packed. */
export interface Pack {
  slip: PackingSlip
  /** Its open lines, in the order of the shelves. */
  lines: LineToPack[]
}

/** @param ticked pieces by the number of the line; those above the open pieces do not count */
export function toPack(slip: PackingSlip, ticked: ReadonlyMap<number, number> = new Map()): Pack {
  const lines = slip.lines.flatMap((line, index) => {
    const number = index + 1
    const count = Math.min(ticked.get(number) ?? 0, line.openPieces)
    return line.openPieces > 0 ? [{ ...line, number, ticked: count }] : []
  })
  return { slip, lines: lines.toSorted(byShelf) }
}

export const isWholeLine = ({ ticked, openPieces }: LineToPack): boolean => ticked >= openPieces
export const isComplete = ({ lines }: Pack): boolean => lines.every(isWholeLine)
export const countLeft = ({ lines }: Pack): number =>
  lines.reduce((sum, { openPieces, ticked }) => sum + openPieces - ticked, 0)
export const hasTicks = ({ lines }: Pack): boolean => lines.some(({ ticked }) => ticked > 0)

/** Whether the open pieces are the same: nothing was shipped or cancelled in the meantime. */
const hasSamePieces = (one: Pack, other: Pack): boolean => toPieces(one) === toPieces(other)

/** Returns why a complete order cannot be shipped as it is shown, or null. `fresh`: the order as it is now. */
export function refuseShipping(shown: Pack, fresh: Pack | undefined): string | null {
  if (!fresh || !hasSamePieces(shown, fresh)) return 'This order has changed. Check its pieces again.'
  if (fresh.slip.withdrawn && !shown.slip.withdrawn) return withdrawnWarning
  return null
}

const toPieces = ({ lines }: Pack): string =>
  lines
    .map(({ number, openPieces }) => `${number}: ${openPieces}`)
    .toSorted()
    .join()

export const listTicked = ({ lines }: Pack): Map<number, number> =>
  new Map(lines.map(({ number, ticked }) => [number, ticked]))

/** Ticks one more piece of a line. */
export const tick = (pack: Pack, number: number): Pack => ({
  ...pack,
  lines: pack.lines.map((line) =>
    line.number === number && !isWholeLine(line) ? { ...line, ticked: line.ticked + 1 } : line,
  ),
})

/** Returns the line with this GTIN or part number, the first one that is not complete; or else a complete one. */
export function findLine({ lines }: Pack, code: string): LineToPack | undefined {
  const matching = lines.filter((line) => line.codes.some((each) => isSameCode(each, code)))
  return matching.find((line) => !isWholeLine(line)) ?? matching[0]
}

/** Whether a code belongs to this slip: the beginning of the order id, of at least 6 characters. */
export const isOwnSlip = ({ slip }: Pack, code: string): boolean => {
  const start = code.replace(/^#/, '').toLowerCase()
  return start.length >= 6 && slip._id.startsWith(start)
}
