import type { ImportChange, ImportError, ProductImport } from '../../../contract/imports.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'

const errorColumns: Column<ImportError>[] = [
  { head: 'Row', numeric: true, cell: ({ row }) => row },
  { head: 'Column', cell: ({ column }) => column || '–' },
  { head: 'Error', names: true, cell: ({ message }) => message },
]

/** Errors in the file, with row numbers as in a spreadsheet. */
export function ImportErrors({ productImport: { errors, errorCount } }: { productImport: ProductImport }) {
  if (errors.length === 0) return null
  const more = errorCount - errors.length
  return (
    <section className="w-full" aria-labelledby="errors">
      <h2 id="errors" className="mb-3 font-display text-2xl font-bold">
        Errors
      </h2>
      <DataTable
        caption="Errors"
        columns={errorColumns}
        rows={errors}
        rowKey={({ row, column }) => `${row} ${column}`}
      />
      {more > 0 && <p className="mt-3 text-quiet">And {more.toLocaleString('en-US')} more.</p>}
    </section>
  )
}

const changeColumns: Column<ImportChange>[] = [
  { head: 'Row', numeric: true, cell: ({ row }) => row },
  { head: 'Product', names: true, cell: ({ name }) => name },
  { head: 'Changes', cell: (change) => <Differences change={change} /> },
]

/** Preview of the first products that the import will add or change. */
export function ImportChanges({ productImport }: { productImport: ProductImport }) {
  const { state, errorCount, changes, added, changed } = productImport
  if (state !== 'checked' || errorCount > 0 || changes.length === 0) return null
  const more = added + changed - changes.length
  return (
    <section className="w-full" aria-labelledby="changes">
      <h2 id="changes" className="mb-3 font-display text-2xl font-bold">
        {more > 0 ? `The first ${changes.length} changes` : 'Changes'}
      </h2>
      <DataTable caption="Changes" columns={changeColumns} rows={changes} rowKey={({ row }) => String(row)} />
    </section>
  )
}

/** Returns at most the first 80 characters of a value. */
function short(value: string | null | undefined): string {
  const text = value ?? 'empty'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function Differences({ change: { before, after } }: { change: ImportChange }) {
  if (!before) return <span className="text-quiet">New</span>
  return (
    <ul>
      {Object.entries(after).map(([column, value]) => (
        <li key={column} className="wrap-anywhere">
          <span className="text-sm text-quiet">{column}: </span>
          <del className="text-quiet">{short(before[column])}</del>
          <span className="sr-only"> becomes</span> <ins className="no-underline">{short(value)}</ins>
        </li>
      ))}
    </ul>
  )
}
