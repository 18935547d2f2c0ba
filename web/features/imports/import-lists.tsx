import type { ReactNode } from 'react'
import {
  type ErrorGroup,
  type ImportChange,
  type ImportError,
  type ImportKind,
  type ImportWarning,
  type LeftOutBrand,
  maxListedBrands,
  maxListedChanges,
  maxListedGroups,
  type ProductImport,
  type SkippedProduct,
  type UnknownRow,
} from '../../../contract/imports.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'

export const formatCount = (number: number) => number.toLocaleString('en-US')

/** Whether the import has a preview of its changes: without the wrong rows, if they can be left out. */
export const hasPreview = ({ state, errorCount, wrongRows }: ProductImport): boolean =>
  state === 'checked' && (errorCount === 0 || wrongRows > 0)

/** A list of the report with its heading. */
export const ListSection = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section className="w-full" aria-labelledby={id}>
    <h2 id={id} className="mb-3 font-display text-2xl font-bold">
      {title}
    </h2>
    {children}
  </section>
)

/** The number of entries that the report does not list. */
const More = ({ count }: { count: number }) =>
  count > 0 && <p className="mt-3 text-quiet">And {formatCount(count)} more.</p>

/** The number of a row, or of an application in an ACES file. The header of such a file has none. */
const rowColumn = (kind: ImportKind): Column<{ row: number }> => ({
  head: kind === 'aces' ? 'App' : 'Row',
  numeric: true,
  cell: ({ row }) => row || '–',
})

const errorColumns = (kind: ImportKind): Column<ImportError>[] => [
  rowColumn(kind),
  ...(kind === 'aces' ? [{ head: 'Line', numeric: true, cell: ({ line }: ImportError) => line ?? '–' }] : []),
  { head: kind === 'aces' ? 'Element' : 'Column', cell: ({ column }) => column || '–' },
  { head: 'Error', names: true, cell: ({ message }) => message },
]

/** Fewer errors are listed one by one. */
const minGroupedErrors = 20

const groupColumns: Column<ErrorGroup>[] = [
  { head: 'Column', cell: ({ column }) => column || '–' },
  { head: 'Error', names: true, cell: ({ message }) => message },
  { head: 'Errors', numeric: true, cell: ({ count }) => formatCount(count) },
  {
    head: 'For example',
    cell: ({ examples }) => (
      <ul>
        {examples.map(({ row, partNumber, value }) => (
          <li key={row} className="wrap-anywhere">
            Row {row}
            {partNumber && `, ${partNumber}`}
            {value && `: “${value}”`}
          </li>
        ))}
      </ul>
    ),
  },
]

function ErrorGroups({ groups }: { groups: ErrorGroup[] }) {
  return (
    <ListSection id="errors" title="Errors">
      <DataTable
        caption="Errors"
        columns={groupColumns}
        rows={groups}
        rowKey={({ column, message }) => `${column} ${message}`}
      />
      {groups.length === maxListedGroups && (
        <p className="mt-3 text-quiet">Only the {maxListedGroups} most frequent errors are listed.</p>
      )}
    </ListSection>
  )
}

/** Errors in the file, with row numbers as in a spreadsheet. */
export function ImportErrors({ productImport }: { productImport: ProductImport }) {
  const { kind, errors, errorCount, errorGroups } = productImport
  if (errors.length === 0) return null
  if (errorCount >= minGroupedErrors && errorGroups.length > 0) return <ErrorGroups groups={errorGroups} />
  return (
    <ListSection id="errors" title="Errors">
      <DataTable
        caption="Errors"
        columns={errorColumns(kind)}
        rows={errors}
        // A row may have several errors in a column.
        rowKey={(_error, index) => String(index)}
      />
      <More count={errorCount - errors.length} />
    </ListSection>
  )
}

const brandColumns: Column<LeftOutBrand>[] = [
  { head: 'Brand id', names: true, cell: ({ brandId }) => brandId },
  { head: 'Apps', numeric: true, cell: ({ applications }) => formatCount(applications) },
  { head: 'Part, for example', cell: ({ partNumber }) => partNumber || '–' },
]

const warningTexts: Record<ImportWarning['code'], string> = {
  PRICE_JUMP: 'Prices that become at least three times as high or as low',
  STOCK_DROP: 'Stocks that fall by 80 % or more. If the file is a delivery, upload it again as a delivery',
}

/** Large changes, with examples. */
export function Warnings({ productImport }: { productImport: ProductImport }) {
  const { warnings } = productImport
  if (!hasPreview(productImport) || warnings.length === 0) return null
  return (
    <section className="w-full rounded-card border-2 border-bad p-4" aria-labelledby="warnings">
      <h2 id="warnings" className="mb-2 font-display text-2xl font-bold">
        Check these changes
      </h2>
      <ul className="flex flex-col gap-3">
        {warnings.map(({ code, count: number, examples }) => (
          <li key={code}>
            <p className="font-semibold">
              {warningTexts[code]}: {formatCount(number)}
            </p>
            <ul className="list-disc pl-5">
              {examples.map(({ row, name, before, after }) => (
                <li key={row} className="wrap-anywhere">
                  {productImport.source === 'file' && `Row ${row}, `}
                  {name}: {before} → {after}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}

const skippedColumns: Column<SkippedProduct>[] = [
  {
    head: 'Product',
    names: true,
    cell: ({ productId, name }) => (
      <a href={`/dashboard/edit-product/${productId}`} className="text-signal underline">
        {name}
      </a>
    ),
  },
  { head: 'Reason', cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span> },
]

/** The products that changed after the check, so that the import leaves them out. */
export function Skipped({ productImport: { skipped, skippedCount } }: { productImport: ProductImport }) {
  if (skipped.length === 0) return null
  return (
    <ListSection id="skipped" title="Left out">
      <DataTable
        caption="Products that are left out"
        columns={skippedColumns}
        rows={skipped}
        rowKey={({ productId }) => productId}
      />
      <More count={skippedCount - skipped.length} />
    </ListSection>
  )
}

const unknownColumns: Column<UnknownRow>[] = [
  rowColumn('products'),
  { head: 'Part number', names: true, cell: ({ partNumber }) => partNumber || '–' },
]

/** The rows of products that the shop does not have. */
export function Unknown({ productImport: { unknown, unknownCount } }: { productImport: ProductImport }) {
  if (unknownCount === 0) return null
  return (
    <ListSection id="unknown" title="Not in the shop">
      <p className="mb-3">
        {formatCount(unknownCount)} {unknownCount === 1 ? 'row is' : 'rows are'} for products that the shop
        does not have. They are left out.
      </p>
      <DataTable
        caption="Rows for products that the shop does not have"
        columns={unknownColumns}
        rows={unknown}
        rowKey={({ row }) => String(row)}
      />
      <More count={unknownCount - unknown.length} />
    </ListSection>
  )
}

/** The applications of an ACES file that are for brands which the shop does not know. */
export function LeftOut({
  productImport: { kind, state, leftOut, leftOutCount },
}: {
  productImport: ProductImport
}) {
  if (leftOutCount === 0 || kind !== 'aces') return null
  return (
    <ListSection id="left-out" title="Left out">
      <p className="mb-3">
        {formatCount(leftOutCount)} {leftOutCount === 1 ? 'application is' : 'applications are'} for brands
        that the shop does not know, and {state === 'done' ? 'changed' : 'will change'} nothing. If you sell
        one of these brands, import its id as an{' '}
        <a href="?kind=aces-codes" className="font-semibold text-signal underline">
          ACES code
        </a>{' '}
        of the kind “brand”, then upload this file again.
      </p>
      <DataTable
        caption="Brands that are left out"
        columns={brandColumns}
        rows={leftOut}
        rowKey={({ brandId }) => brandId}
      />
      {leftOut.length === maxListedBrands && (
        <p className="mt-3 text-quiet">Only the first {maxListedBrands} brands are listed.</p>
      )}
    </ListSection>
  )
}

const subjects: Partial<Record<ImportKind, string>> = {
  bikes: 'Bike',
  'aces-codes': 'Code',
  redirects: 'Old address',
}

const changeColumns = ({ kind, source }: ProductImport): Column<ImportChange>[] => [
  ...(source === 'file' ? [rowColumn(kind)] : []),
  { head: subjects[kind] ?? 'Product', names: true, cell: ({ name }) => name },
  { head: 'Changes', cell: (change) => <Differences change={change} /> },
]

/** Preview of the first products that the import will add or change. */
export function ImportChanges({ productImport }: { productImport: ProductImport }) {
  const { changes } = productImport
  if (!hasPreview(productImport) || changes.length === 0) return null
  return (
    <ListSection
      id="changes"
      title={changes.length === maxListedChanges ? `The first ${changes.length} changes` : 'Changes'}
    >
      <DataTable
        caption="Changes"
        columns={changeColumns(productImport)}
        rows={changes}
        // Several changes may have the same row and name.
        rowKey={(_change, index) => String(index)}
      />
    </ListSection>
  )
}

/** Returns at most the first 80 characters of a value. */
function short(column: string, value: string | null | undefined): string {
  const text = value ?? (column === 'hidden' ? 'no' : 'empty')
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function Differences({ change: { before, after } }: { change: ImportChange }) {
  if (!before) return <span className="text-quiet">New</span>
  return (
    <ul>
      {Object.entries(after).map(([column, value]) => (
        <li key={column} className="wrap-anywhere">
          <span className="text-sm text-quiet">{column}: </span>
          <del className="text-quiet">{short(column, before[column])}</del>
          <span className="sr-only"> becomes</span> <ins className="no-underline">{short(column, value)}</ins>
        </li>
      ))}
    </ul>
  )
}
