/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   a table that is laid out as cards on a phone loses its roles there: they are spelt out */
import type { ReactNode } from 'react'
import { Link } from '../router/link.tsx'
import { SortSelect } from './sort-select.tsx'

export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the right, so that their digits line up. */
  numeric?: boolean
  /** The field that the server sorts by; the head is then a link. */
  sort?: string
  /** The cell that names the row. */
  names?: boolean
  /** What can be done with the row: it stands at its end. */
  actions?: boolean
}

export interface DataTableProps<Row> {
  /** What the table holds, for those who do not see it. */
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  /** The present order: a field, `-` before it for descending. */
  sortedBy?: string | undefined
  /** Where a head that sorts leads. */
  sortLink?: (sort: string) => string
  /** Newer rows are on their way. */
  stale?: boolean
}

/**
 * Rows and columns on a wide screen; on a phone each row is a card with the head before each value.
 */
export function DataTable<Row>({ caption, columns, rows, rowKey, stale, ...sorting }: DataTableProps<Row>) {
  return (
    <div className={`transition-opacity ${stale ? 'opacity-50' : ''}`} aria-busy={stale}>
      {sorting.sortLink && columns.some(({ sort }) => sort) && (
        <SortSelect
          fields={columns.flatMap(({ head, sort }) => (sort ? [{ head, sort }] : []))}
          sortedBy={sorting.sortedBy}
          sortLink={sorting.sortLink}
        />
      )}
      <table role="table" className="w-full border-collapse text-left max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-b-2 border-ink">
            {columns.map((column) => (
              <Head key={column.head} column={column} {...sorting} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:flex max-md:flex-col max-md:gap-4">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className="border-line max-md:block max-md:rounded-card max-md:border max-md:bg-surface max-md:px-4 max-md:py-2 md:border-b"
            >
              {columns.map((column) => (
                <Cell key={column.head} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Sorting = Pick<DataTableProps<unknown>, 'sortedBy' | 'sortLink'>

function Head<Row>({ column, sortedBy, sortLink }: { column: Column<Row> } & Sorting) {
  const align = column.numeric || column.actions ? 'text-right' : ''
  const className = `label px-3 py-3 whitespace-nowrap first:pl-0 last:pr-0 ${align}`
  if (!column.sort || !sortLink) {
    return (
      <th role="columnheader" scope="col" className={className}>
        {column.head}
      </th>
    )
  }
  const direction =
    sortedBy === column.sort ? 'ascending' : sortedBy === `-${column.sort}` ? 'descending' : 'none'
  const next = direction === 'ascending' ? `-${column.sort}` : column.sort
  return (
    <th role="columnheader" scope="col" aria-sort={direction} className={className}>
      {/* Cards have no heads to press: a link that no one sees could still be reached with the keyboard. */}
      <span className="md:hidden">{column.head}</span>
      <Link href={sortLink(next)} keepScroll className="hover:text-signal max-md:hidden">
        {column.head}
        <span aria-hidden="true" className={direction === 'none' ? 'text-edge' : 'text-signal'}>
          {direction === 'descending' ? ' ▾' : direction === 'ascending' ? ' ▴' : ' ▵'}
        </span>
      </Link>
    </th>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const align = column.numeric ? 'tabular-nums md:text-right' : column.actions ? 'md:text-right' : ''
  return (
    <td
      role="cell"
      className={`px-3 py-3 align-middle first:pl-0 last:pr-0 max-md:flex max-md:items-center max-md:justify-between
        max-md:gap-6 max-md:border-line max-md:px-0 max-md:py-2.5 max-md:not-last:border-b ${align}`}
    >
      <span aria-hidden="true" className="shrink-0 text-sm text-quiet md:hidden">
        {column.head}
      </span>
      <div className={`min-w-0 max-md:text-right ${column.names ? 'font-semibold wrap-anywhere' : ''}`}>
        {column.cell(row)}
      </div>
    </td>
  )
}
