import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AuditQuery, auditAreas } from '../../contract/audit.ts'
import { call } from '../api.ts'
import { startOfDay } from '../day-range.ts'
import { areaNames, auditColumns } from '../features/audit/audit-columns.tsx'
import { OrderDetailsById } from '../features/orders/order-details.tsx'
import { QueryError } from '../query-error.tsx'
import { navigate } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useShownValues } from '../ui/shown-values.ts'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Audit' })

/** Filters and page of the list are in the URL, so that they survive a reload and can be shared. */
export default function Audit() {
  const params = new URLSearchParams(useLocation().search)
  const isFiltered = filterNames.some((name) => params.get(name))
  return (
    <>
      <PageHead title="Audit" note="All changes with user, time and IP address. Entries can't be edited." />
      <Filters params={params} isFiltered={isFiltered} />
      <Changes params={params} isFiltered={isFiltered} />
    </>
  )
}

interface PartProps {
  params: URLSearchParams
  isFiltered: boolean
}

const filterNames = ['area', 'by', 'subject', 'from', 'to'] as const

const clearFilters = (
  <LinkButton href="?" variant="quiet">
    Clear filters
  </LinkButton>
)

function Filters({ params, isFiltered }: PartProps) {
  const form = useShownValues(Object.fromEntries(filterNames.map((name) => [name, params.get(name) ?? ''])))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() ? [[name, value.trim()]] : [],
    )
    navigate(`?${new URLSearchParams(typed)}`, { keepScroll: true })
  }
  const field = (name: (typeof filterNames)[number]) => ({ name, defaultValue: params.get(name) ?? '' })
  return (
    <search>
      <form
        ref={form}
        onSubmit={submit}
        className="mb-6 grid gap-4 rounded-card border border-line bg-surface p-4 xs:grid-cols-2 md:grid-cols-3"
      >
        <SelectField label="Kind" {...field('area')}>
          <option value="">Everything</option>
          {auditAreas.map((area) => (
            <option key={area} value={area}>
              {areaNames[area]}
            </option>
          ))}
        </SelectField>
        <TextField label="Changed by" {...field('by')} hint="Email, or “shop” for the system" />
        <TextField label="Item" {...field('subject')} hint="Order, part number, bike or email" />
        <TextField label="From" type="date" {...field('from')} />
        <TextField label="To" type="date" {...field('to')} />
        <div className="flex flex-wrap items-start justify-end gap-3 max-md:col-span-full md:pt-6">
          {isFiltered && clearFilters}
          <Button type="submit" variant="ink">
            Filter
          </Button>
        </div>
      </form>
    </search>
  )
}

/** A page of changes, the newest first, with links to older and to the newest ones. */
function Changes({ params, isFiltered }: PartProps) {
  const [orderId, setOrderId] = useState<string | null>(null)
  const query = toQuery(params)
  const page = useQuery({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => call('listAudit', { query, signal }),
    placeholderData: keepPreviousData,
  })
  const failed = page.isError && <QueryError title="The changes could not be loaded" query={page} />
  // The message of an empty list is about the filters before.
  if (!page.data || (page.isPlaceholderData && page.data.entries.length === 0)) {
    return failed || <FullSpinner />
  }
  const { entries, next } = page.data
  const pageLink = (after?: string) => {
    const all = [...params].filter(([name]) => name !== 'after')
    return `?${new URLSearchParams(after ? [...all, ['after', after]] : all)}`
  }
  return (
    <>
      {failed && <div className="pb-6">{failed}</div>}
      {entries.length > 0 ? (
        <DataTable
          caption="Changes"
          columns={auditColumns(setOrderId)}
          rows={entries}
          rowKey={({ id }) => id}
          stale={page.isPlaceholderData}
        />
      ) : (
        <EmptyState title={isFiltered ? 'No results' : 'No changes yet'} action={isFiltered && clearFilters}>
          {isFiltered
            ? 'No changes match these filters.'
            : 'Changes to orders, stock, products, brands, bikes and admins appear here.'}
        </EmptyState>
      )}
      <nav aria-label="Pages" className="flex justify-center gap-3 py-10">
        {query.after && (
          <LinkButton href={pageLink()} variant="quiet">
            Newest
          </LinkButton>
        )}
        {next && (
          <LinkButton href={pageLink(next)} variant="quiet" rel="next">
            Older
          </LinkButton>
        )}
      </nav>
      {orderId && <OrderDetailsById id={orderId} onClose={() => setOrderId(null)} />}
    </>
  )
}

function toQuery(params: URLSearchParams): AuditQuery {
  const value = (name: string) => params.get(name) || undefined
  return {
    area: auditAreas.find((area) => area === value('area')),
    by: value('by'),
    subject: value('subject'),
    from: startOfDay(value('from'), 0),
    to: startOfDay(value('to'), 1),
    after: value('after'),
  }
}
