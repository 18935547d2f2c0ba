import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { AuditQuery } from '../../../contract/audit.ts'
import { call } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FullSpinner } from '../../ui/spinner.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { auditColumns } from './audit-columns.tsx'
import type { AuditParams } from './audit-filter.tsx'

interface AuditListProps {
  params: AuditParams
  /** Opens the details of an order. */
  onOpenOrder: (id: string) => void
}

/** A page of audit entries, with links to older and to the newest ones. */
export function AuditList({ params, onOpenOrder }: AuditListProps) {
  const page = useQuery(auditPageQuery(params.query))
  const failed = page.isError && <QueryError title="The changes could not be loaded" query={page} />
  if (!page.data) return failed || <FullSpinner />
  const { entries, next } = page.data
  return (
    <>
      {failed && <div className="pb-6">{failed}</div>}
      {entries.length === 0 ? (
        <NoChanges isFiltered={params.isFiltered} />
      ) : (
        <DataTable
          caption="Changes"
          columns={auditColumns(onOpenOrder)}
          rows={entries}
          rowKey={({ id }) => id}
          stale={page.isPlaceholderData}
        />
      )}
      <nav aria-label="Pages" className="flex justify-center gap-3 py-10">
        {params.isFurtherDown && (
          <LinkButton href={params.pageLink()} variant="quiet">
            Newest
          </LinkButton>
        )}
        {next && (
          <LinkButton href={params.pageLink(next)} variant="quiet" rel="next">
            Older
          </LinkButton>
        )}
      </nav>
    </>
  )
}

function NoChanges({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No changes yet">
        Changes to orders, stock, products and admins appear here.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No results"
      action={
        <LinkButton href="?" variant="quiet">
          Clear filters
        </LinkButton>
      }
    >
      No changes match these filters.
    </EmptyState>
  )
}

/** A page of changes, the newest first. */
const auditPageQuery = (query: AuditQuery) =>
  queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => call('listAudit', { query, signal }),
    placeholderData: keepPreviousData,
  })
