import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryError } from './query-error.tsx'
import { changeParameters, navigate } from './router/navigation.ts'
import { useLocation } from './router/router.tsx'
import { LinkButton } from './ui/button.tsx'
import { type Column, DataTable, type Ordering } from './ui/data-table.tsx'
import { PagesNav } from './ui/pages-nav.tsx'
import { FullSpinner } from './ui/spinner.tsx'
import { EmptyState } from './ui/states.tsx'

const pageSize = 20

/**
 * Page, order and search text of a list. They are in the URL, so they survive a reload and can be shared.
 *
 * @param pageName the parameter with the page; a second list on a page has another one
 */
export function useListParams(pageName = 'page') {
  const { search } = useLocation()
  const params = new URLSearchParams(search)
  const number = Number(params.get(pageName) ?? 1)
  const page = Number.isInteger(number) && number >= 1 ? number : 1
  const sort = params.get('sort') ?? undefined
  const q = params.get('q') ?? ''

  const link = (changes: Record<string, string>) => `?${changeParameters(search, changes)}`

  return {
    page,
    sort,
    q,
    /** The value of another parameter; empty without one. */
    filter: (name: string) => params.get(name) ?? '',
    filterLink: (name: string, value: string) => link({ [name]: value, [pageName]: '' }),
    /** Parameters of the call. An order by another field than these is ignored. */
    toQuery: <const Field extends string>(fields: readonly Field[]) => ({
      page,
      pageSize,
      sort: knownSort(fields, sort),
      q: q || undefined,
    }),
    pageLink: (page: number) => link({ [pageName]: page === 1 ? '' : String(page) }),
    sortLink: (sort: string) => link({ sort, [pageName]: '' }),
    search: (q: string) => navigate(link({ q, [pageName]: '' }), { replace: true, keepScroll: true }),
  }
}

/** Returns the requested order if it is one of `fields`, with the prefix `-` for descending; else undefined. */
const knownSort = <const Field extends string>(fields: readonly Field[], requested: string | undefined) =>
  fields.flatMap((field) => [field, `-${field}` as const]).find((sort) => sort === requested)

export interface ListViewProps<Row> {
  /** Caption for screen readers. */
  caption: string
  /** Title of the error message. */
  failure: string
  /** Rows are still shown while new ones are loaded. An empty list is not: its text is about other tabs or words. */
  list: UseQueryResult<{ rows: Row[]; total: number }>
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  params: ReturnType<typeof useListParams>
  /** The kind of object that can be searched, in the singular. */
  searched?: string
  /** Replaces an empty table, except after a search. */
  empty?: ReactNode
  /** Orders by what is not a column; the first one is the default. */
  orderings?: Ordering[]
}

/** A page of a list in all states: loading, failed, empty and loaded. */
export function ListView<Row>(props: ListViewProps<Row>) {
  const { caption, failure, list, columns, rowKey, params, searched, empty, orderings } = props
  const failed = list.isError && <QueryError title={failure} query={list} />
  const table = { caption, columns, rowKey, sortedBy: params.sort, sortLink: params.sortLink, orderings }
  if (!list.data || (list.isPlaceholderData && list.data.rows.length === 0)) {
    return (
      failed || (
        <>
          <DataTable {...table} rows={[]} />
          <FullSpinner />
        </>
      )
    )
  }
  const { rows, total } = list.data
  if (rows.length === 0) {
    // The requested page is after the last one, because the list has become shorter.
    if (total > 0) {
      const action = <LinkButton href={params.pageLink(1)}>Go to first page</LinkButton>
      return (
        <EmptyState title="No results on this page" action={action}>
          The list now has fewer pages.
        </EmptyState>
      )
    }
    return searched && params.q ? (
      <NothingFound thing={searched} q={params.q} all={params.filterLink('q', '')} />
    ) : (
      empty
    )
  }
  return (
    <>
      {failed && <div className="pb-6">{failed}</div>}
      <DataTable {...table} rows={rows} stale={list.isPlaceholderData} />
      <PagesNav page={params.page} pages={Math.ceil(total / pageSize)} link={params.pageLink} />
    </>
  )
}

/** Replaces a list if the search has no results. */
function NothingFound({ thing, q, all }: { thing: string; q: string; all: string }) {
  const action = (
    <LinkButton href={all} variant="quiet">
      Show all
    </LinkButton>
  )
  return (
    <EmptyState title="No results" action={action}>
      No {thing} matches “{q}”.
    </EmptyState>
  )
}
