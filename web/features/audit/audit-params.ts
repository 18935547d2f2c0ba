import { type AuditQuery, auditAreas } from '../../../contract/audit.ts'
import { navigate } from '../../router/navigation.ts'
import { useLocation } from '../../router/router.tsx'

const filters = ['area', 'by', 'subject', 'from', 'to'] as const

/** Filter values as typed. Days are in the time zone of the browser. */
export type AuditFilters = Record<(typeof filters)[number], string>

export interface AuditParams {
  filters: AuditFilters
  isFiltered: boolean
  /** Whether this is not the first page. */
  isFurtherDown: boolean
  query: AuditQuery
  filter: (filters: AuditFilters) => void
  /** URL of the page after this cursor; without a cursor, of the newest changes. */
  pageLink: (after?: string) => string
}

/** Filters and page of the audit list, stored in the URL so that they survive a reload and can be shared. */
export function useAuditParams(): AuditParams {
  const params = new URLSearchParams(useLocation().search)
  const asked = Object.fromEntries(filters.map((name) => [name, params.get(name) ?? ''])) as AuditFilters
  const after = params.get('after') ?? undefined

  const search = (changes: Partial<AuditFilters> & { after?: string | undefined }) =>
    new URLSearchParams(Object.entries({ ...asked, ...changes }).filter(([, value]) => value))

  return {
    filters: asked,
    isFiltered: filters.some((name) => asked[name]),
    isFurtherDown: after !== undefined,
    query: { ...toQuery(asked), after },
    filter: (changes) => navigate(`?${search(changes)}`, { keepScroll: true }),
    pageLink: (after) => `?${search({ after })}`,
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
