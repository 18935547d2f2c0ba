import { type Errors, type TextKeys, toTextField } from './draft.ts'
import { focusNextIfLost } from './ui/lost-focus.ts'

/** A row of a draft. Its key stays when the rows above it are removed. */
export type Keyed<Row> = Row & { key: number }

export const withKeys = <Row>(rows: Row[]): Keyed<Row>[] => rows.map((row, key) => ({ ...row, key }))

export const addRow = <Row>(rows: Keyed<Row>[], row: Row): Keyed<Row>[] => [
  ...rows,
  { ...row, key: Math.max(-1, ...rows.map(({ key }) => key)) + 1 },
]

/** Moves a row by one place; the first and the last one stay. */
export function moveRow<Key, Row extends { key: Key }>(rows: Row[], key: Key, by: -1 | 1): Row[] {
  const index = rows.findIndex((row) => row.key === key)
  const other = rows[index + by]
  const row = rows[index]
  return row && other ? rows.with(index, other).with(index + by, row) : rows
}

export interface RowFieldsProps<Row> {
  row: Keyed<Row>
  /** Position in the list, from 1. */
  number: number
  error: (name: string) => string | undefined
  /** The properties of a text field. */
  text: (name: TextKeys<Row>) => ReturnType<typeof toTextField<Row>>
  onChange: (values: Partial<Row>) => void
  /** Moves the row by one place. */
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** Props for the fields of each row. `path` names the list in the body. */
export const toRowFields = <Row>(
  path: string,
  rows: Keyed<Row>[],
  errors: Errors,
  setRows: (change: (rows: Keyed<Row>[]) => Keyed<Row>[]) => void,
): RowFieldsProps<Row>[] =>
  rows.map((row, index) => {
    const error = (name: string) => errors[`${path}.${index}.${name}`]
    const onChange = (values: Partial<Row>) =>
      setRows((all) => all.map((each) => (each.key === row.key ? { ...each, ...values } : each)))
    return {
      row,
      number: index + 1,
      error,
      text: (name) => toTextField<Row>(row, name, error(name), onChange),
      onChange,
      onMove: (by) => setRows((all) => moveRow(all, row.key, by)),
      onRemove() {
        focusNextIfLost()
        setRows((all) => all.filter(({ key }) => key !== row.key))
      },
    }
  })

/** Names the rows that are added, removed or different, such as `1 fitment`. Without any, the list as a whole. */
export function nameChanges<Row>(
  [one, many]: [one: string, many: string],
  stored: Keyed<Row>[],
  rows: Keyed<Row>[],
): string {
  const before = new Map(stored.map((row) => [row.key, JSON.stringify(row)]))
  const same = rows.filter((row) => before.get(row.key) === JSON.stringify(row)).length
  const left = rows.filter(({ key }) => before.has(key)).length
  const changed = rows.length - same + (stored.length - left)
  if (changed === 0) return many
  return changed === 1 ? `1 ${one}` : `${changed} ${many}`
}
