import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type ImportChange,
  type ImportError,
  type ImportKind,
  type LeftOutBrand,
  maxListedBrands,
  maxListedChanges,
  type ProductImport,
} from '../../../contract/imports.ts'
import { call, readMessage } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Progress } from '../../ui/progress.tsx'
import { FullSpinner } from '../../ui/spinner.tsx'

const pollIntervalMs = 500

const count = (number: number) => number.toLocaleString('en-US')

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
      <p className="font-semibold wrap-anywhere">{productImport.fileName}</p>
      {isInProgress(productImport) ? (
        <InProgress productImport={productImport} />
      ) : (
        <>
          <Outcome productImport={productImport} />
          <div className="flex flex-wrap items-center gap-3">
            {productImport.state === 'checked' && productImport.errorCount === 0 && (
              <RunButton productImport={productImport} />
            )}
            <LinkButton href={`?kind=${productImport.kind}`} variant="quiet">
              Import another file
            </LinkButton>
          </div>
        </>
      )}
      <LeftOut productImport={productImport} />
      <ImportErrors productImport={productImport} />
      <ImportChanges productImport={productImport} />
    </div>
  )
}

function InProgress({ productImport: { state, rows, done } }: { productImport: ProductImport }) {
  const labels = {
    reading: `Reading: ${count(rows)} rows so far`,
    checking: `Checking ${count(rows)} rows`,
    importing: `Importing ${count(rows)} rows`,
  }
  const label = labels[state as keyof typeof labels]
  const known = state === 'importing' && rows > 0
  return (
    <div className="w-full">
      <Progress label={label} done={known ? done / rows : null} />
      <p className="mt-2 text-sm text-quiet">
        You can close this page. The import continues. Reopen this URL to see the result.
      </p>
    </div>
  )
}

function Outcome({ productImport }: { productImport: ProductImport }) {
  const { kind, state, failure, added, changed, removed, unchanged, yearsWithoutBike, errorCount } =
    productImport
  if (state === 'failed') return <Alert>{failure}</Alert>
  const isDone = state === 'done'
  return (
    <div className="w-full">
      <p role="status" className={`mb-3 text-lg font-semibold ${errorCount > 0 ? 'text-bad' : 'text-good'}`}>
        {isDone ? 'Imported.' : verdict(productImport)}
      </p>
      <DescriptionList
        items={
          errorCount > 0
            ? [{ name: 'Errors', value: count(errorCount) }]
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

const isEmpty = ({ added, changed, removed }: ProductImport) => added + changed + removed === 0

function verdict(productImport: ProductImport): string {
  const { errorCount } = productImport
  if (errorCount > 0) return 'Fix the errors before you import this file.'
  if (isEmpty(productImport)) return 'This file has no changes.'
  return 'No errors found. The import will make these changes:'
}

function RunButton({ productImport }: { productImport: ProductImport }) {
  const { id } = productImport
  const client = useQueryClient()
  const run = useMutation({
    mutationFn: () => call('runImport', { params: { id } }),
    // After an error as well, because a lost response may have been a success.
    onSettled: () => client.invalidateQueries({ queryKey: ['imports', id] }),
  })
  if (isEmpty(productImport)) return null
  return (
    <>
      {run.isError && <Alert>{readMessage(run.error)}</Alert>}
      <Button size="large" busy={run.isPending} onClick={() => run.mutate()}>
        Import
      </Button>
    </>
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

const changeColumns = (kind: ImportKind): Column<ImportChange>[] => [
  rowColumn(kind),
  { head: subjects[kind] ?? 'Product', names: true, cell: ({ name }) => name },
  { head: 'Changes', cell: (change) => <Differences change={change} /> },
]

/** Preview of the first products that the import will add or change. */
function ImportChanges({ productImport }: { productImport: ProductImport }) {
  const { kind, state, errorCount, changes } = productImport
  if (state !== 'checked' || errorCount > 0 || changes.length === 0) return null
  return (
    <section className="w-full" aria-labelledby="changes">
      <h2 id="changes" className="mb-3 font-display text-2xl font-bold">
        {changes.length === maxListedChanges ? `The first ${changes.length} changes` : 'Changes'}
      </h2>
      <DataTable
        caption="Changes"
        columns={changeColumns(kind)}
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
