import type { FormEvent } from 'react'
import { type AuditQuery, auditAreas } from '../../../contract/audit.ts'
import { navigate } from '../../router/navigation.ts'
import { useLocation } from '../../router/router.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { areaNames } from './audit-columns.tsx'

/** Filter form of the audit list. */
export function AuditFilter({ params }: { params: AuditParams }) {
  const { filters, filter, isFiltered } = params
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const value = (name: string) => {
      const text = typed.get(name)
      return typeof text === 'string' ? text.trim() : ''
    }
    filter(readFilters(value))
  }
  return (
    <search>
      <form
        key={JSON.stringify(filters)}
        onSubmit={submit}
        className="mb-6 grid gap-4 rounded-card border border-line bg-surface p-4 xs:grid-cols-2 md:grid-cols-3"
      >
        <SelectField label="Kind" name="area" defaultValue={filters.area}>
          <option value="">Everything</option>
          {auditAreas.map((area) => (
            <option key={area} value={area}>
              {areaNames[area]}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Changed by"
          name="by"
          defaultValue={filters.by}
          hint="Email, or “shop” for the system"
        />
        <TextField
          label="Item"
          name="subject"
          defaultValue={filters.subject}
          hint="Order, product or email"
        />
        <TextField label="From" name="from" type="date" defaultValue={filters.from} />
        <TextField label="To" name="to" type="date" defaultValue={filters.to} />
        <div className="flex flex-wrap items-start justify-end gap-3 max-md:col-span-full md:pt-6">
          {isFiltered && (
            <LinkButton href="?" variant="quiet">
              Clear filters
            </LinkButton>
          )}
          <Button type="submit" variant="ink">
            Filter
          </Button>
        </div>
      </form>
    </search>
  )
}

const filters = ['area', 'by', 'subject', 'from', 'to'] as const

/** Filter values as typed. Days are in the time zone of the browser. */
type AuditFilters = Record<(typeof filters)[number], string>

const readFilters = (read: (name: string) => string) =>
  Object.fromEntries(filters.map((name) => [name, read(name)])) as AuditFilters

export type AuditParams = ReturnType<typeof useAuditParams>

/** Filters and page of the audit list, stored in the URL so that they survive a reload and can be shared. */
export function useAuditParams() {
  const params = new URLSearchParams(useLocation().search)
  const asked = readFilters((name) => params.get(name) ?? '')
  const after = params.get('after') ?? undefined

  const search = (changes: Partial<AuditFilters> & { after?: string | undefined }) =>
    new URLSearchParams(Object.entries({ ...asked, ...changes }).filter(([, value]) => value))

  return {
    filters: asked,
    isFiltered: filters.some((name) => asked[name]),
    /** Whether this is not the first page. */
    isFurtherDown: after !== undefined,
    query: { ...toQuery(asked), after },
    filter: (changes: AuditFilters) => navigate(`?${search(changes)}`, { keepScroll: true }),
    /** URL of the page after this cursor; without a cursor, of the newest changes. */
    pageLink: (after?: string) => `?${search({ after })}`,
  }
}

function toQuery({ area, by, subject, from, to }: AuditFilters): AuditQuery {
  return {
    area: auditAreas.find((known) => known === area),
    by: by || undefined,
    subject: subject || undefined,
    from: startOfDay(from, 0),
    to: startOfDay(to, 1),
  }
}

/** Start of the day that is `later` days after `day`, in ISO 8601. Undefined if `day` is not a valid date. */
function startOfDay(day: string, later: number): string | undefined {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + later)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
