import type { ReactNode } from 'react'
import { type Column, DataTable } from './data-table.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { LinkButton } from './link-button.tsx'
import type { ListParams } from './list-params.ts'
import { PagesNav } from './pages-nav.tsx'
import { FullSpinner } from './spinner.tsx'

/** How far the loading of a page has come; rows that are there stay while newer ones are on their way. */
export interface ListState<Row> {
  data: { rows: Row[]; total: number } | undefined
  error: unknown
  isError: boolean
  isPlaceholderData: boolean
  refetch: () => Promise<unknown>
}

export interface ListViewProps<Row> {
  /** Names the list, for those who do not see it. */
  caption: string
  /** What is said where it could not be loaded. */
  failure: { title: string; message: (error: unknown) => string }
  list: ListState<Row>
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  params: ListParams
  pageSize: number
  /** Stands in for the table where it has no rows. */
  empty: ReactNode
}

/** A page of a long list in each of its states: loading, failed, empty, and there. */
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

/** The list has become shorter since someone was led here. */
function PastTheEnd({ first }: { first: string }) {
  return (
    <EmptyState title="Nothing on this page" action={<LinkButton href={first}>To the first page</LinkButton>}>
      The list is shorter than it was.
    </EmptyState>
  )
}
