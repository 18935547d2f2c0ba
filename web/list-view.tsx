import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryError } from './query-error.tsx'
import { navigate } from './router/navigation.ts'
import { useLocation } from './router/router.tsx'
import { LinkButton } from './ui/button.tsx'
import { type Column, DataTable } from './ui/data-table.tsx'
import { PagesNav } from './ui/pages-nav.tsx'
import { FullSpinner } from './ui/spinner.tsx'
import { EmptyState } from './ui/states.tsx'

const pageSize = 20

type Sort<Field extends string> = Field | `-${Field}`

/** Page, order and search text of a list. They are in the URL, so they survive a reload and can be shared. */
export function useListParams() {
  const params = new URLSearchParams(useLocation().search)
  const number = Number(params.get('page') ?? 1)
  const page = Number.isInteger(number) && number >= 1 ? number : 1
  const sort = params.get('sort') ?? undefined
  const q = params.get('q') ?? ''

  const change = (changes: Record<string, string>) => {
    const next = new URLSearchParams(params)
    for (const [key, value] of Object.entries(changes)) {
      if (value) next.set(key, value)
      else next.delete(key)
    }
    return next
  }

  return {
    page,
    sort,
    q,
    /** Parameters of the call. An order by another field than these is ignored. */
    toQuery: <const Field extends string>(fields: readonly Field[]) => ({
      page,
      pageSize,
      sort: knownSort(fields, sort),
      q: q || undefined,
    }),
    pageLink: (page: number) => `?${change({ page: page === 1 ? '' : String(page) })}`,
    sortLink: (sort: string) => `?${change({ sort, page: '' })}`,
    search: (q: string) => navigate(`?${change({ q, page: '' })}`, { replace: true, keepScroll: true }),
  }
}

/** Returns the requested order if it is one of `fields`, with the prefix `-` for descending; else undefined. */
const knownSort = <const Field extends string>(fields: readonly Field[], requested: string | undefined) =>
  fields.flatMap((field): Sort<Field>[] => [field, `-${field}`]).find((sort) => sort === requested)

export interface ListViewProps<Row> {
  /** Caption for screen readers. */
  caption: string
  /** Title of the error message. */
  failure: string
  /** Rows are still shown while new ones are loaded. */
  list: UseQueryResult<{ rows: Row[]; total: number }>
  columns: Column<Row>[]
  rowKey: (row: Row) => string
  params: ReturnType<typeof useListParams>
  /** The kind of object that can be searched, in the singular. */
  searched?: string
  /** Replaces an empty table, except after a search. */
  empty?: ReactNode
}

/** A page of a list in all states: loading, failed, empty and loaded. */
export function ListView<Row>(props: ListViewProps<Row>) {
  const { caption, failure, list, columns, rowKey, params, searched, empty } = props
  const failed = list.isError && <QueryError title={failure} query={list} />
  if (!list.data) return failed || <FullSpinner />
  const { rows, total } = list.data
  if (rows.length === 0) {
    if (total > 0) return <PastTheEnd first={params.pageLink(1)} />
    return searched && params.q ? <NothingFound thing={searched} q={params.q} /> : empty
  }
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

/** Replaces a list if the search has no results. */
function NothingFound({ thing, q }: { thing: string; q: string }) {
  return (
    <EmptyState
      title="No results"
      action={
        <LinkButton href="?" variant="quiet">
          Show all
        </LinkButton>
      }
    >
      No {thing} matches “{q}”.
    </EmptyState>
  )
}
