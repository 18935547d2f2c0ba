/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   `display` values other than table values remove the implicit roles, so they are explicit */
import { Fragment, type ReactNode, useId } from 'react'
import { navigate } from '../router/navigation.ts'
import { Link } from '../router/router.tsx'
import { selectClass } from './button.tsx'

export interface Column<Row> {
  head: string
  cell: (row: Row) => ReactNode
  /** Aligns numbers to the right with digits of equal width. */
  numeric?: boolean
  /** The field to sort by. It makes the column header a link. */
  sort?: string
  /** The column contains the name of the row. */
  names?: boolean
  /** The column contains the row's actions. */
  actions?: boolean
  /**
   * On a phone: a row with the header and the value, which is the default, the value in the whole width, or the values of
   * several columns beside each other, or nothing.
   */
  onPhone?: keyof typeof phoneClasses | undefined
}

/** An order of a list. */
export interface Ordering {
  /** See `sortedBy`. */
  sort: string
  name: string
}

interface DataTableProps<Row> {
  /** Caption for screen readers. */
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row, index: number) => string
  /** The current order: a field, with the prefix `-` for descending. */
  sortedBy?: string | undefined
  /** Returns the URL for another order. */
  sortLink?: (sort: string) => string
  /** Orders by what is not a column; the first one is the default. */
  orderings?: Ordering[] | undefined
  /** New rows are being loaded. */
  stale?: boolean
}

/** A table. On a phone each row is a card with the column header before each value. */
export function DataTable<Row>({ caption, columns, rows, rowKey, stale, ...sorting }: DataTableProps<Row>) {
  const isDense = columns.some(({ onPhone = 'hidden' }) => onPhone !== 'hidden')
  return (
    <div className={`transition-opacity ${stale ? 'opacity-50' : ''}`} aria-busy={stale}>
      <SortSelect columns={columns} {...sorting} />
      <table role="table" className="w-full border-collapse text-left max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-b-2 border-ink">
            {columns.map((column) => (
              <Head key={column.head} column={column} {...sorting} />
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          className={`max-md:flex max-md:flex-col ${isDense ? 'max-md:gap-2' : 'max-md:gap-4'}`}
        >
          {rows.map((row, index) => (
            <tr
              key={rowKey(row, index)}
              role="row"
              className={`border-line max-md:rounded-card max-md:border max-md:bg-surface max-md:py-2 md:border-b
                ${isDense ? 'max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:px-3' : 'max-md:block max-md:px-4'}`}
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

type Sorting = Pick<DataTableProps<unknown>, 'sortedBy' | 'sortLink' | 'orderings'>

function Head<Row>({ column, sortedBy, sortLink }: { column: Column<Row> } & Sorting) {
  const { head, sort = '', numeric, actions } = column
  const direction = sortedBy === sort ? 'ascending' : sortedBy === `-${sort}` ? 'descending' : 'none'
  const next = direction === 'ascending' ? `-${sort}` : sort
  const link = sort && sortLink?.(next)
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={link ? direction : undefined}
      className={`label px-3 py-3 whitespace-nowrap first:pl-0 last:pr-0 ${numeric || actions ? 'text-right' : ''}`}
    >
      {/* Phones hide the header row visually. A link in it would still get the keyboard focus. */}
      <span className={link ? 'md:hidden' : ''}>{head}</span>
      {link && (
        <Link href={link} keepScroll className="hover:text-signal max-md:hidden">
          {head}
          <span aria-hidden="true" className={direction === 'none' ? 'text-edge' : 'text-signal'}>
            {{ ascending: ' ▴', descending: ' ▾', none: ' ▵' }[direction]}
          </span>
        </Link>
      )}
    </th>
  )
}

/** By `onPhone`. */
const phoneClasses = {
  // With 200 % text the label is above its cell.
  row: 'max-md:flex max-md:justify-between max-md:gap-6 max-md:border-line max-md:py-2.5 max-md:not-last:border-b max-[14rem]:block',
  whole: 'max-md:block max-md:basis-full max-md:py-1',
  inline: 'max-md:flex max-md:gap-1.5 max-md:py-1',
  hidden: 'max-md:hidden',
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { onPhone = 'row', numeric, actions, names, head } = column
  const align = numeric ? 'tabular-nums md:text-right' : actions ? 'max-md:ml-auto md:text-right' : ''
  // A word that is longer than its column is broken, but no column gets as narrow as a letter.
  const textClass = numeric || actions ? 'min-w-0' : 'min-w-0 wrap-anywhere md:min-w-20'
  const hasLabel = onPhone === 'row' || (onPhone === 'inline' && numeric)
  return (
    <td
      role="cell"
      className={`px-3 py-3 align-middle first:pl-0 last:pr-0 max-md:items-center max-md:px-0 ${phoneClasses[onPhone]} ${align}`}
    >
      {hasLabel && (
        <span aria-hidden="true" className="shrink-0 text-sm text-quiet md:hidden">
          {head}
        </span>
      )}
      <div
        className={`${onPhone === 'row' ? 'max-md:text-right' : ''} ${names ? 'font-semibold' : ''} ${textClass}`}
      >
        {column.cell(row)}
      </div>
    </td>
  )
}

const defaultOrder = [{ sort: '', name: 'Default order' }]

/** Order of a list on a phone, where the table has no visible headers. */
function SortSelect<Row>(props: { columns: Column<Row>[] } & Sorting) {
  const { columns, sortedBy = '', sortLink, orderings = defaultOrder } = props
  const id = useId()
  const sortable = columns.filter(({ sort }) => sort)
  if (!sortLink || sortable.length === 0) return null
  return (
    <div className="mb-4 flex items-center gap-3 md:hidden">
      <label htmlFor={id} className="shrink-0 text-sm font-semibold">
        Sort by
      </label>
      <select
        id={id}
        value={sortedBy}
        onChange={(event) => navigate(sortLink(event.target.value), { keepScroll: true })}
        className={`${selectClass} h-11`}
      >
        {orderings.map(({ sort, name }) => (
          <option key={sort} value={sort}>
            {name}
          </option>
        ))}
        {sortable.map(({ head, sort }) => (
          <Fragment key={sort}>
            <option value={sort}>{head}, ascending</option>
            <option value={`-${sort}`}>{head}, descending</option>
          </Fragment>
        ))}
      </select>
    </div>
  )
}
