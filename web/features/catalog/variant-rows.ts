import { swatches } from '../../../contract/choice.ts'
import type { Choice } from '../../../contract/choice-urls.ts'
import { nameChoice } from '../../../contract/item-names.ts'
import { parseDollars, toPlainDollars, toWholeNumber } from '../../../contract/typed-numbers.ts'
import { type EditedVariant, type ListedVariant, maxVariants } from '../../../contract/variants.ts'

const textNames = [
  'size',
  'colour',
  'swatch',
  'sku',
  'gtin',
  'price',
  'weight',
  'shelf',
  'lowStock',
  'image',
] as const
export type TextName = (typeof textNames)[number]

/** A variant as it is typed. A new one has no `id`. */
export interface VariantRow extends Record<TextName, string> {
  key: string
  id?: string | undefined
}

let lastKey = 0

const createRow = (values: Partial<VariantRow>): VariantRow => ({
  ...(Object.fromEntries(textNames.map((name) => [name, ''])) as Record<TextName, string>),
  ...values,
  key: values.id ?? `new-${++lastKey}`,
})

export const toRow = (variant: ListedVariant): VariantRow =>
  createRow({
    id: variant.id,
    size: variant.size ?? '',
    colour: variant.colour ?? '',
    swatch: variant.swatch ?? '',
    sku: variant.sku ?? '',
    gtin: variant.gtin ?? '',
    price: variant.price === undefined ? '' : toPlainDollars(variant.price),
    weight: variant.weight?.toString() ?? '',
    shelf: variant.shelf ?? '',
    lowStock: variant.lowStock?.toString() ?? '',
    image: variant.image ?? '',
  })

/**
 * Converts a row to a call's body. The schema of the call rejects text that is not a number. Shelf and low stock are
 * sent if they are blank, because missing ones stay stored.
 */
export function toVariant(row: VariantRow): EditedVariant {
  const texts = textNames.flatMap((name) => (row[name].trim() === '' ? [] : [[name, row[name]] as const]))
  const { price, weight, lowStock } = row
  return {
    ...(row.id !== undefined && { id: row.id }),
    ...Object.fromEntries(texts),
    ...(price.trim() !== '' && { price: parseDollars(price) as number }),
    ...(weight.trim() !== '' && { weight: toWholeNumber(weight) }),
    shelf: row.shelf.trim(),
    lowStock: lowStock.trim() === '' ? null : toWholeNumber(lowStock),
  }
}

/** Splits a typed list such as `S, M, L`. */
export const splitList = (text: string): string[] => [
  ...new Set(text.split(/[,;\n]/).flatMap((value) => value.trim() || [])),
]

/**
 * Adds the missing combinations of sizes and colours. The first one fills a row without size and colour, so that a
 * product keeps its stock with its first choice.
 *
 * @returns null if there would be too many
 */
export function addCombinations(rows: VariantRow[], sizes: string[], colours: string[]): VariantRow[] | null {
  const combinations = (sizes.length > 0 ? sizes : ['']).flatMap((size) =>
    (colours.length > 0 ? colours : ['']).map((colour) => ({ size, colour })),
  )
  const isMissing = (choice: Choice) =>
    nameChoice(choice) !== '' &&
    !rows.some(({ size, colour }) => size.trim() === choice.size && colour.trim() === choice.colour)
  const missing = combinations
    .filter(isMissing)
    .map((choice) => ({ ...choice, swatch: findSwatch(choice.colour) }))
  const filled = rows.map((row) => (nameChoice(row).trim() === '' ? { ...row, ...missing.shift() } : row))
  const result = [...filled, ...missing.map(createRow)]
  return result.length > maxVariants ? null : result
}

/**
 * Changes a row. A colour has one swatch and one picture: rows of the same colour that have the same ones change too.
 *
 * @param key of the row
 */
export function changeRow(rows: VariantRow[], key: string, values: Partial<VariantRow>): VariantRow[] {
  const changed = rows.find((row) => row.key === key)
  if (!changed) return rows
  const { swatch, image } = values
  return rows.map((row) => {
    if (row === changed) return { ...row, ...values }
    if (row.colour.trim() === '' || row.colour.trim() !== changed.colour.trim()) return row
    return {
      ...row,
      ...(swatch !== undefined && row.swatch === changed.swatch && { swatch }),
      ...(image !== undefined && row.image === changed.image && { image }),
    }
  })
}

const findSwatch = (colour: string): string =>
  Object.entries(swatches).find(([name]) => name.toLowerCase() === colour.toLowerCase())?.[1] ?? ''

/**
 * Applies changes of part numbers and GTINs, which the product form saves too, to unsaved rows of the list `base`.
 *
 * @returns null if `next` has other changes, or if such a number was changed here too
 */
export function rebaseRows(rows: VariantRow[], base: VariantRow[], next: VariantRow[]): VariantRow[] | null {
  const toOthers = (list: VariantRow[]) => JSON.stringify(list.map((row) => ({ ...row, sku: '', gtin: '' })))
  if (toOthers(base) !== toOthers(next)) return null
  let hasConflict = false
  const rebased = rows.map((row) => {
    const index = base.findIndex(({ key }) => key === row.key)
    const [was, now] = [base[index], next[index]]
    if (!was || !now || (was.sku === now.sku && was.gtin === now.gtin)) return row
    hasConflict ||= row.sku !== was.sku || row.gtin !== was.gtin
    return { ...row, sku: now.sku, gtin: now.gtin }
  })
  return hasConflict ? null : rebased
}

/** Errors of the rows, by key and field. */
export type RowErrors = Record<string, Partial<Record<string, string>>>

/** Assigns errors such as `variants.3.price` to the rows; `others` belong to no row. */
export function splitErrors(rows: VariantRow[], fields: Record<string, string>) {
  const byRow: RowErrors = {}
  const others: string[] = []
  for (const [path, message] of Object.entries(fields)) {
    const [, index, field = ''] = /^variants\.(\d+)\.(\w+)$/.exec(path) ?? []
    const row = rows[Number(index)]
    if (row && field !== 'id') byRow[row.key] = { ...byRow[row.key], [field]: message }
    else others.push(message)
  }
  return { byRow, others }
}

/** Drops the errors of values that were changed after the rows were refused. */
export function withoutChanged(errors: RowErrors, refused: VariantRow[], rows: VariantRow[]): RowErrors {
  const read = (list: VariantRow[], key: string, name: string) =>
    list.find((row) => row.key === key)?.[name as TextName]
  return Object.fromEntries(
    Object.entries(errors).map(([key, byField]) => {
      const left = Object.entries(byField).filter(
        ([name]) => read(refused, key, name) === read(rows, key, name),
      )
      return [key, Object.fromEntries(left)]
    }),
  )
}
