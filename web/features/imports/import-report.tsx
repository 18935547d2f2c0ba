import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type ImportChange,
  type ImportError,
  type ImportKind,
  type ImportWarning,
  type LeftOutBrand,
  maxListedBrands,
  maxListedChanges,
  type ProductImport,
  type SkippedProduct,
  type UnknownRow,
} from '../../../contract/imports.ts'
import { call, readMessage } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { navigate } from '../../router/navigation.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Progress } from '../../ui/progress.tsx'
import { FullSpinner } from '../../ui/spinner.tsx'
import { showToast } from '../../ui/toasts.tsx'

const pollIntervalMs = 500

const count = (number: number) => number.toLocaleString('en-US')

/** The file, or the undone one. */
export const importTitle = ({ source, fileName }: Pick<ProductImport, 'source' | 'fileName'>): string =>
  source === 'undo' ? `Undo of ${fileName}` : fileName

/** Whether the server is still processing the import. */
const isInProgress = ({ state }: ProductImport): boolean =>
  state === 'reading' || state === 'checking' || state === 'importing'

/** Progress or result of an import, with its errors and changes. Polled while it is in progress. */
export function ImportReport({ id }: { id: string }) {
  const found = useQuery({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => call('getImport', { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isInProgress(data) ? pollIntervalMs : false),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })
  const productImport = found.data
  if (!productImport) {
    return found.isError ? (
      <QueryError title="This import could not be loaded" query={found} />
    ) : (
      <FullSpinner />
    )
  }
  return (
    <div className="flex max-w-wide flex-col items-start gap-6">
      <p className="font-semibold wrap-anywhere">{importTitle(productImport)}</p>
      {isInProgress(productImport) ? (
        <InProgress productImport={productImport} />
      ) : (
        <>
          <Outcome productImport={productImport} />
          <Warnings productImport={productImport} />
          <div className="flex flex-wrap items-center gap-3">
            {productImport.state === 'checked' && productImport.errorCount === 0 && (
              <RunButton productImport={productImport} />
            )}
            {productImport.undoable && <UndoButton id={id} />}
            <LinkButton href={`?kind=${productImport.kind}`} variant="quiet">
              Import another file
            </LinkButton>
          </div>
          <OtherImport productImport={productImport} />
        </>
      )}
      <Skipped productImport={productImport} />
      <Unknown productImport={productImport} />
      <LeftOut productImport={productImport} />
      <ImportErrors productImport={productImport} />
      <ImportChanges productImport={productImport} />
    </div>
  )
}

function InProgress({ productImport: { state, rows, done } }: { productImport: ProductImport }) {
  const labels = {
    reading: `Reading: ${count(rows)} rows so far`,
    checking: rows > 0 ? `Checking ${count(rows)} rows` : 'Checking',
    importing: `Importing ${count(rows)} rows`,
  }
  const label = labels[state as keyof typeof labels]
  const known = state === 'importing' && rows > 0
  return (
    <div className="w-full">
      <Progress label={label} done={known ? done / rows : null} />
      <p className="mt-2 text-sm text-quiet">
        You can close this page. The import continues, even if the shop is restarted. See the result under{' '}
        <a href="/dashboard/imports" className="font-semibold text-signal underline">
          Imports
        </a>
        .
      </p>
    </div>
  )
}

function Outcome({ productImport }: { productImport: ProductImport }) {
  const { kind, source, state, failure, added, changed, removed, unchanged, yearsWithoutBike, errorCount } =
    productImport
  if (state === 'failed') return <Alert>{failure}</Alert>
  const isDone = state === 'done'
  return (
    <div className="w-full">
      <p role="status" className={`mb-3 text-lg font-semibold ${errorCount > 0 ? 'text-bad' : 'text-good'}`}>
        {isDone ? (source === 'undo' ? 'Undone.' : 'Imported.') : verdict(productImport)}
      </p>
      <DescriptionList
        items={
          errorCount > 0
            ? [{ name: 'Errors', value: count(errorCount) }]
            : source === 'undo'
              ? undoItems(productImport)
              : [
                  { name: 'Added', value: count(added) },
                  { name: 'Changed', value: count(changed) },
                  ...(['fitments', 'part-numbers', 'aces'].includes(kind)
                    ? [{ name: 'Removed', value: count(removed) }]
                    : []),
                  { name: 'Unchanged', value: count(unchanged) },
                  ...(yearsWithoutBike > 0
                    ? [{ name: 'Years without a bike in the shop', value: count(yearsWithoutBike) }]
                    : []),
                ]
        }
      />
    </div>
  )
}

const undoItems = ({ added, changed, removed, skippedCount }: ProductImport) => [
  { name: 'Products that change back', value: count(changed) },
  ...(removed > 0 ? [{ name: 'Added products that are deleted', value: count(removed) }] : []),
  ...(added > 0 ? [{ name: 'Deleted products that return', value: count(added) }] : []),
  ...(skippedCount > 0 ? [{ name: 'Left out, or in part', value: count(skippedCount) }] : []),
]

const isEmpty = ({ added, changed, removed }: ProductImport) => added + changed + removed === 0

function verdict(productImport: ProductImport): string {
  const { errorCount, source } = productImport
  if (source === 'undo') {
    return isEmpty(productImport)
      ? 'Nothing can be restored.'
      : 'Nothing has changed yet. Undoing the import will make these changes:'
  }
  if (errorCount > 0) return 'Fix the errors before you import this file.'
  if (isEmpty(productImport)) return 'This file has no changes.'
  return 'No errors found. The import will make these changes:'
}

function RunButton({ productImport }: { productImport: ProductImport }) {
  const { id } = productImport
  const client = useQueryClient()
  const hasWarnings = productImport.warnings.length > 0
  const run = useMutation({
    mutationFn: () =>
      call('runImport', { params: { id }, query: hasWarnings ? { acceptWarnings: 'true' } : {} }),
    // After an error as well, because a lost response may have been a success.
    onSettled: () => client.invalidateQueries({ queryKey: ['imports', id] }),
  })
  if (isEmpty(productImport)) return null
  return (
    <>
      {run.isError && <Alert>{readMessage(run.error)}</Alert>}
      <Button size="large" busy={run.isPending} onClick={() => run.mutate()}>
        {productImport.source === 'undo'
          ? 'Undo the import'
          : hasWarnings
            ? 'I have checked them: import'
            : 'Import'}
      </Button>
    </>
  )
}

/** Opens a preview of the undo, which is not run yet. */
export function UndoButton({ id, small = false }: { id: string; small?: boolean }) {
  const undo = useMutation({
    mutationFn: () => call('undoImport', { params: { id } }),
    onSuccess: (created) => navigate(`/dashboard/import-products?import=${created.id}`),
    onError: (error) => showToast('error', readMessage(error)),
  })
  return (
    <Button
      variant="quiet"
      size={small ? 'small' : 'normal'}
      busy={undo.isPending}
      onClick={() => undo.mutate()}
    >
      Undo…
    </Button>
  )
}

/** A link to the undo of this import, or from an undo to its import. */
function OtherImport({ productImport: { undoOf, undoneBy } }: { productImport: ProductImport }) {
  const other = undoneBy ?? undoOf
  if (!other) return null
  return (
    <p className="text-quiet">
      {undoneBy ? 'This import was undone by ' : 'This undoes '}
      <a href={`?import=${other}`} className="font-semibold text-signal underline">
        another import
      </a>
      .
    </p>
  )
}

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

/** Errors in the file, with row numbers as in a spreadsheet. */
function ImportErrors({ productImport: { kind, errors, errorCount } }: { productImport: ProductImport }) {
  if (errors.length === 0) return null
  const more = errorCount - errors.length
  return (
    <section className="w-full" aria-labelledby="errors">
      <h2 id="errors" className="mb-3 font-display text-2xl font-bold">
        Errors
      </h2>
      <DataTable
        caption="Errors"
        columns={errorColumns(kind)}
        rows={errors}
        // A row may have several errors in a column.
        rowKey={(_error, index) => String(index)}
      />
      {more > 0 && <p className="mt-3 text-quiet">And {count(more)} more.</p>}
    </section>
  )
}

const brandColumns: Column<LeftOutBrand>[] = [
  { head: 'Brand id', names: true, cell: ({ brandId }) => brandId },
  { head: 'Apps', numeric: true, cell: ({ applications }) => count(applications) },
  { head: 'Part, for example', cell: ({ partNumber }) => partNumber || '–' },
]

const warningTexts: Record<ImportWarning['code'], string> = {
  PRICE_JUMP: 'Prices that become at least three times as high or as low',
  STOCK_DROP: 'Stocks that fall by 80 % or more. If the file is a delivery, upload it again as a delivery',
}

/** Large changes, with examples. */
function Warnings({ productImport: { state, errorCount, warnings } }: { productImport: ProductImport }) {
  if (state !== 'checked' || errorCount > 0 || warnings.length === 0) return null
  return (
    <section className="w-full rounded-card border-2 border-bad p-4" aria-labelledby="warnings">
      <h2 id="warnings" className="mb-2 font-display text-2xl font-bold">
        Check these changes
      </h2>
      <ul className="flex flex-col gap-3">
        {warnings.map(({ code, count: number, examples }) => (
          <li key={code}>
            <p className="font-semibold">
              {warningTexts[code]}: {count(number)}
            </p>
            <ul className="list-disc pl-5">
              {examples.map(({ row, name, before, after }) => (
                <li key={row} className="wrap-anywhere">
                  Row {row}, {name}: {before} → {after}
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
function Skipped({ productImport: { skipped, skippedCount } }: { productImport: ProductImport }) {
  if (skipped.length === 0) return null
  const more = skippedCount - skipped.length
  return (
    <section className="w-full" aria-labelledby="skipped">
      <h2 id="skipped" className="mb-3 font-display text-2xl font-bold">
        Left out
      </h2>
      <DataTable
        caption="Products that are left out"
        columns={skippedColumns}
        rows={skipped}
        rowKey={({ productId }) => productId}
      />
      {more > 0 && <p className="mt-3 text-quiet">And {count(more)} more.</p>}
    </section>
  )
}

const unknownColumns: Column<UnknownRow>[] = [
  rowColumn('products'),
  { head: 'Part number', names: true, cell: ({ partNumber }) => partNumber || '–' },
]

/** The rows of products that the shop does not have. */
function Unknown({ productImport: { unknown, unknownCount } }: { productImport: ProductImport }) {
  if (unknownCount === 0) return null
  const more = unknownCount - unknown.length
  return (
    <section className="w-full" aria-labelledby="unknown">
      <h2 id="unknown" className="mb-3 font-display text-2xl font-bold">
        Not in the shop
      </h2>
      <p className="mb-3">
        {count(unknownCount)} {unknownCount === 1 ? 'row is' : 'rows are'} for products that the shop does not
        have. They are left out.
      </p>
      <DataTable
        caption="Rows for products that the shop does not have"
        columns={unknownColumns}
        rows={unknown}
        rowKey={({ row }) => String(row)}
      />
      {more > 0 && <p className="mt-3 text-quiet">And {count(more)} more.</p>}
    </section>
  )
}

/** The applications of an ACES file that are for brands which the shop does not know. */
function LeftOut({ productImport: { state, leftOut, leftOutCount } }: { productImport: ProductImport }) {
  if (leftOutCount === 0) return null
  return (
    <section className="w-full" aria-labelledby="left-out">
      <h2 id="left-out" className="mb-3 font-display text-2xl font-bold">
        Left out
      </h2>
      <p className="mb-3">
        {count(leftOutCount)} {leftOutCount === 1 ? 'application is' : 'applications are'} for brands that the
        shop does not know, and {state === 'done' ? 'changed' : 'will change'} nothing. If you sell one of
        these brands, import its id as an{' '}
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
    </section>
  )
}

const subjects: Partial<Record<ImportKind, string>> = { bikes: 'Bike', 'aces-codes': 'Code' }

const changeColumns = ({ kind, source }: ProductImport): Column<ImportChange>[] => [
  ...(source === 'file' ? [rowColumn(kind)] : []),
  { head: subjects[kind] ?? 'Product', names: true, cell: ({ name }) => name },
  { head: 'Changes', cell: (change) => <Differences change={change} /> },
]

/** Preview of the first products that the import will add or change. */
function ImportChanges({ productImport }: { productImport: ProductImport }) {
  const { state, errorCount, changes } = productImport
  if (state !== 'checked' || errorCount > 0 || changes.length === 0) return null
  return (
    <section className="w-full" aria-labelledby="changes">
      <h2 id="changes" className="mb-3 font-display text-2xl font-bold">
        {changes.length === maxListedChanges ? `The first ${changes.length} changes` : 'Changes'}
      </h2>
      <DataTable
        caption="Changes"
        columns={changeColumns(productImport)}
        rows={changes}
        // Several changes may have the same row and name.
        rowKey={(_change, index) => String(index)}
      />
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
