import { useQuery } from '@tanstack/react-query'
import { formatMoment } from '../../contract/dates.ts'
import type { ImportKind, ImportSummary } from '../../contract/imports.ts'
import { importTitle, UndoButton } from '../features/imports/import-report.tsx'
import { ListView, useListParams } from '../list-view.tsx'
import { pageQuery } from '../page-query.ts'
import { LinkButton } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Email } from '../ui/email.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Imports' })

const importPageQuery = pageQuery('listImports', ['imports', 'list'])

/** All imports, newest first. Imports in batches can be undone. */
export default function Imports() {
  const params = useListParams()
  const { page, pageSize } = params.toQuery([])
  const list = useQuery({ ...importPageQuery({ page, pageSize }), staleTime: 0 })
  const action = ({ id, undoable }: ImportSummary) => undoable && <UndoButton id={id} small />
  return (
    <>
      <PageHead
        title="Imports"
        note="Orders continue during an import. For a minute some products may have new values and others old ones."
      >
        <LinkButton href="/dashboard/import-products" variant="quiet">
          Import
        </LinkButton>
      </PageHead>
      <ListView
        caption="Imports"
        failure="The imports could not be loaded"
        list={list}
        columns={[...columns, { head: 'Action', actions: true, cell: action }]}
        rowKey={({ id }) => id}
        params={params}
        empty={
          <EmptyState
            title="No imports yet"
            action={<LinkButton href="/dashboard/import-products">Import</LinkButton>}
          >
            Files that you import appear here with their results.
          </EmptyState>
        }
      />
    </>
  )
}

const kinds: Record<ImportKind, string> = {
  products: 'Products',
  fitments: 'Fitments',
  bikes: 'Bikes',
  'part-numbers': 'Part numbers',
  'shopify-products': 'Shopify',
  'woocommerce-products': 'WooCommerce',
  redirects: 'Redirects',
  aces: 'Fitments in ACES',
  'aces-codes': 'ACES codes',
  'shopify-orders': 'Past orders',
}

const states: Record<ImportSummary['state'], string> = {
  reading: 'Reading',
  checking: 'Checking',
  checked: 'Checked, not imported',
  importing: 'Importing',
  done: 'Done',
  failed: 'Failed',
}

const columns: Column<ImportSummary>[] = [
  {
    head: 'Import',
    names: true,
    cell: (summary) => (
      <>
        <a
          href={`/dashboard/import-products?import=${summary.id}`}
          className="text-signal underline wrap-anywhere"
        >
          {importTitle(summary)}
        </a>
        <span className="block text-sm font-normal text-quiet wrap-anywhere">
          {kinds[summary.kind]}
          {summary.supplier && ` from ${summary.supplier}`}
        </span>
      </>
    ),
  },
  {
    head: 'Started',
    cell: ({ startedAt, startedBy }) => (
      <>
        <time dateTime={startedAt} className="tabular-nums">
          {formatMoment(startedAt)}
        </time>
        {startedBy && (
          <span className="block text-sm text-quiet">
            <Email email={startedBy} />
          </span>
        )}
      </>
    ),
  },
  { head: 'Result', cell: (summary) => <Result summary={summary} /> },
]

/** State and numbers of an import. */
function Result({ summary }: { summary: ImportSummary }) {
  const { state, failure, added, changed, removed, skippedCount, undoneBy, wrongRows, skipsErrors, runAt } =
    summary
  const counts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
    [skippedCount, 'left out'],
    [
      skipsErrors && state === 'done' ? wrongRows : 0,
      wrongRows === 1 ? 'wrong row left out' : 'wrong rows left out',
    ],
  ] as const
  const texts = counts.flatMap(([count, name]) =>
    count > 0 ? `${count.toLocaleString('en-US')} ${name}` : [],
  )
  return (
    <>
      <span className={state === 'failed' ? 'text-bad' : undefined}>
        {undoneBy
          ? 'Undone'
          : state === 'checked' && runAt
            ? `Scheduled for ${formatMoment(runAt)}`
            : states[state]}
      </span>
      <span className="block text-sm text-quiet wrap-anywhere">{failure ?? texts.join(', ')}</span>
    </>
  )
}
