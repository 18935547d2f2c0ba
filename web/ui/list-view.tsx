import type { ReactNode } from 'react'
import { type Column, DataTable } from './data-table.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { LinkButton } from './link-button.tsx'
import type { ListParams } from './list-params.ts'
import { PagesNav } from './pages-nav.tsx'
import { FullSpinner } from './spinner.tsx'

/** Query state of a list page. Rows are still shown while new ones are loaded. */
export interface ListState<Row> {
  data: { rows: Row[]; total: number } | undefined
  error: unknown
  isError: boolean
  isPlaceholderData: boolean
  refetch: () => Promise<unknown>
}

export interface ListViewProps<Row> {
  /** Caption for screen readers. */
  caption: string
  /** Texts of the error message. */
  failure: { title: string; message: (error: unknown) => string }
  list: ListState<Row>
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  params: ListParams
  pageSize: number
  /** Replaces an empty table. */
  empty: ReactNode
}

/** A page of a list in all states: loading, failed, empty and loaded. */
export function ListView<Row>(props: ListViewProps<Row>) {
  const { caption, failure, list, columns, rowKey, params, pageSize, empty } = props
  const failed = list.isError && (
    <ErrorState
      title={failure.title}
      message={failure.message(list.error)}
      onRetry={() => void list.refetch()}
    />
  )
  if (!list.data) return failed || <FullSpinner />
  const { rows, total } = list.data
  if (rows.length === 0) return total > 0 ? <PastTheEnd first={params.pageLink(1)} /> : empty
  return (
    <>
      {failed && <div className="pb-6">{failed}</div>}
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        sortedBy={params.sort}
        sortLink={params.sortLink}
        stale={list.isPlaceholderData}
      />
      <PagesNav page={params.page} pages={Math.ceil(total / pageSize)} link={params.pageLink} />
    </>
  )
}

/** Shown if the requested page is after the last one, because the list has become shorter. */
function PastTheEnd({ first }: { first: string }) {
  return (
    <EmptyState
      title="No results on this page"
      action={<LinkButton href={first}>Go to first page</LinkButton>}
    >
      The list now has fewer pages.
    </EmptyState>
  )
}
