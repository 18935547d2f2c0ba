import { nameItem } from '../../../contract/item-names.ts'
import { isSameCode } from '../../../contract/part-numbers.ts'
import type { DeliveryNote, Receipt } from '../../../contract/receipts.ts'
import type { ScanResult } from '../../../contract/scan.ts'

export type ScannedVariant = ScanResult['variants'][number]

/** A scanned item with its pieces. */
export interface ScannedLine {
  variantId: string
  name: string
  sku: string
  gtin: string
  shelf: string
  quantity: number
  /** The pieces that the shelf should have, since the first scan: the stock, and the pieces that are not shipped. */
  expected: number
  /** The pieces on the delivery note. Missing: it is not on it. */
  noted?: number
  /** The codes for which the shop has returned this item only. Missing: none was looked up. */
  codes?: string[]
}

/** A code of no item, or of several. */
export interface UnknownCode {
  code: string
  pieces: number
  /** The items with this code. */
  variants: ScannedVariant[]
}

/** The items of a delivery or of a shelf, which no one else knows until they are booked. */
export interface ScanList {
  /** The last scanned one first. */
  lines: ScannedLine[]
  /** The items of the delivery note that are not scanned yet. */
  awaited: ScannedLine[]
  /** The checked file with which a delivery is compared. */
  note: { id: string; fileName: string } | null
  unknown: UnknownCode[]
  /** The code of the last scan, if it was an unknown one. */
  lastUnknown: string | null
  supplier: string
  reference: string
  /** Sent as `Idempotency-Key` of a booking without an answer: it may have succeeded. */
  bookingKey: string | null
}

export const emptyList: ScanList = {
  lines: [],
  awaited: [],
  note: null,
  unknown: [],
  lastUnknown: null,
  supplier: '',
  reference: '',
  bookingKey: null,
}

/** Adds pieces of an item, which becomes the last one. */
export function addPieces(list: ScanList, variant: ScannedVariant, pieces = 1): ScanList {
  const known = findItem(list, variant.variantId)
  const { sku = '', gtin = '', shelf = '', stock, reserved } = variant
  const line = known ?? {
    variantId: variant.variantId,
    name: nameItem(variant),
    sku,
    gtin,
    shelf,
    quantity: 0,
    expected: stock + reserved,
  }
  return toLast(list, { ...line, quantity: line.quantity + pieces })
}

const findItem = ({ lines, awaited }: ScanList, id: string): ScannedLine | undefined =>
  [...lines, ...awaited].find(({ variantId }) => variantId === id)

const withoutItem = (lines: ScannedLine[], id: string): ScannedLine[] =>
  lines.some(({ variantId }) => variantId === id) ? lines.filter(({ variantId }) => variantId !== id) : lines

const toLast = (list: ScanList, line: ScannedLine): ScanList => ({
  ...list,
  lines: [line, ...withoutItem(list.lines, line.variantId)],
  awaited: withoutItem(list.awaited, line.variantId),
  lastUnknown: null,
})

/** Returns the items of the list, scanned or awaited, with a code. */
const findLines = ({ lines, awaited }: ScanList, code: string): ScannedLine[] =>
  [...lines, ...awaited].filter(({ sku, gtin }) =>
    [sku, gtin].some((each) => each !== '' && isSameCode(each, code)),
  )

/** Returns the item of the list with a code, if the shop has answered that no other item has this code. */
export const findOnly = ({ lines, awaited }: ScanList, code: string): ScannedLine | undefined =>
  [...lines, ...awaited].find(({ codes }) => codes?.includes(code))

/**
 * Returns what a typed number sets the pieces of: the last scanned code if it is unknown, otherwise the last item.
 * Returns undefined if the input is a code of the list.
 */
export function findTarget(list: ScanList, input: string): ScannedLine | UnknownCode | undefined {
  const unknown = list.unknown.find(({ code }) => code === list.lastUnknown)
  if (unknown?.code === input || findLines(list, input).length > 0) return undefined
  return unknown ?? list.lines[0]
}

/** Adds one more piece of an item in the list. */
export const repeat = (list: ScanList, line: ScannedLine): ScanList =>
  toLast(list, { ...line, quantity: line.quantity + 1 })

/** Makes an item the last one. */
export function select(list: ScanList, variantId: string): ScanList {
  const line = findItem(list, variantId)
  return line ? toLast(list, line) : list
}

/** Sets the pieces of a scanned item. */
export const setPieces = (list: ScanList, variantId: string, quantity: number): ScanList => ({
  ...list,
  lines: list.lines.map((line) => (line.variantId === variantId ? { ...line, quantity } : line)),
})

/** Sets the pieces of an unknown code. */
export const setUnknownPieces = (list: ScanList, code: string, pieces: number): ScanList => ({
  ...list,
  unknown: list.unknown.map((each) => (each.code === code ? { ...each, pieces } : each)),
})

/** A larger number may be a part number: it sets the pieces only if no item has it. */
export const maxTypedPieces = 999

/** Returns the number of pieces that an input sets. Longer digits are a code. */
export const readQuantity = (input: string): number | null => (/^\d{1,5}$/.test(input) ? Number(input) : null)

/** Removes a scanned item. One of the delivery note is awaited again. */
export function removeLine(list: ScanList, variantId: string): ScanList {
  const line = findItem(list, variantId)
  return {
    ...list,
    lines: withoutItem(list.lines, variantId),
    awaited: line?.noted === undefined ? list.awaited : [{ ...line, quantity: 0 }, ...list.awaited],
  }
}

/** Compares the list with a delivery note, instead of an earlier one. Scanned items stay. */
export function openNote(
  list: ScanList,
  id: string,
  { fileName, supplier = '', lines }: DeliveryNote,
): ScanList {
  const { lines: scanned, ...others } = closeNote(list)
  const noted = new Map(lines.map(({ variantId, quantity }) => [variantId, quantity]))
  const known = new Set(scanned.map(({ variantId }) => variantId))
  return {
    ...others,
    lines: scanned.map((line) => withNoted(line, noted.get(line.variantId))),
    awaited: lines
      .filter(({ variantId }) => !known.has(variantId))
      .map(({ quantity, sku = '', gtin = '', shelf = '', ...line }) => ({
        variantId: line.variantId,
        name: nameItem(line),
        sku,
        gtin,
        shelf,
        quantity: 0,
        expected: 0,
        noted: quantity,
      })),
    supplier: list.supplier || supplier,
    reference: list.reference || fileName.replace(/\.\w+$/, '').slice(0, 60),
    note: { id, fileName },
  }
}

const withNoted = (line: ScannedLine, noted: number | undefined): ScannedLine =>
  noted === undefined ? line : { ...line, noted }

/** Removes the delivery note. Scanned items stay. */
export const closeNote = (list: ScanList): ScanList => ({
  ...list,
  lines: list.lines.map(({ noted: _noted, ...line }) => line),
  awaited: [],
  note: null,
})

/** Counts the items of a delivery by how they compare with its note. `unlisted`: items that are not on it. */
export function compareWithNote({ lines, awaited }: ScanList) {
  const listed = [...lines, ...awaited].flatMap(({ quantity, noted }) =>
    noted === undefined ? [] : [quantity - noted],
  )
  return {
    complete: listed.filter((difference) => difference === 0).length,
    missing: listed.filter((difference) => difference < 0).length,
    more: listed.filter((difference) => difference > 0).length,
    unlisted: lines.length + awaited.length - listed.length,
  }
}

/** Adds a piece with a code of no item, or of several. */
export function addUnknown(list: ScanList, code: string, variants: ScannedVariant[]): ScanList {
  const known = list.unknown.find((each) => each.code === code)
  const entry = { code, pieces: (known?.pieces ?? 0) + 1, variants }
  return {
    ...list,
    unknown: [entry, ...list.unknown.filter((each) => each.code !== code)],
    lastUnknown: code,
  }
}

export const removeUnknown = (list: ScanList, code: string): ScanList => ({
  ...list,
  unknown: list.unknown.filter((each) => each.code !== code),
})

/** Adds the pieces of a code to an item, and removes the code. */
export function resolveUnknown(list: ScanList, code: string, variant: ScannedVariant): ScanList {
  const { pieces = 0 } = list.unknown.find((each) => each.code === code) ?? {}
  return addPieces(removeUnknown(list, code), variant, pieces)
}

/** Adds a piece of the only item with a code, and the pieces of earlier scans of the code. */
export function addOnly(list: ScanList, code: string, variant: ScannedVariant): ScanList {
  const added = resolveUnknown(addUnknown(list, code, []), code, variant)
  return {
    ...added,
    lines: added.lines.map((line) =>
      line.variantId === variant.variantId ? { ...line, codes: [...(line.codes ?? []), code] } : line,
    ),
  }
}

export const countPieces = ({ lines }: ScanList): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** The body of the booking, in the sequence of the scans. A delivery has no items without pieces. */
export function toReceipt({ lines, note, supplier, reference }: ScanList, kind: Receipt['kind']): Receipt {
  const isCount = kind === 'count'
  return {
    kind,
    ...(supplier && { supplier }),
    ...(reference && { reference }),
    ...(note && { deliveryNote: note.id }),
    lines: lines
      .filter(({ quantity }) => isCount || quantity > 0)
      .map(({ variantId, quantity, expected }) => ({ variantId, quantity, ...(isCount && { expected }) }))
      .toReversed(),
  }
}

/** Parses a stored list. Returns an empty one for anything else. */
export function parseList(text: string | null): ScanList {
  try {
    const list = JSON.parse(text ?? '') as ScanList
    const areLines = [...list.lines, ...(list.awaited ?? [])].every(
      ({ variantId, name, quantity, expected }) =>
        typeof variantId === 'string' &&
        typeof name === 'string' &&
        Number.isInteger(quantity) &&
        Number.isInteger(expected),
    )
    const areCodes = list.unknown.every(
      ({ code, pieces, variants }) =>
        typeof code === 'string' && Number.isInteger(pieces) && Array.isArray(variants),
    )
    return areLines && areCodes ? { ...emptyList, ...list } : emptyList
  } catch {
    return emptyList
  }
}
