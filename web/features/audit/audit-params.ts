import { type AuditQuery, auditAreas } from '../../../contract/audit.ts'
import { navigate } from '../../router/navigation.ts'
import { useLocation } from '../../router/router.tsx'

const filters = ['area', 'by', 'subject', 'from', 'to'] as const

/** What someone has asked for, as they typed it; days are those of their own clock. */
export type AuditFilters = Record<(typeof filters)[number], string>

export interface AuditParams {
  filters: AuditFilters
  isFiltered: boolean
  /** Whether this is not the first page. */
  isFurtherDown: boolean
  query: AuditQuery
  filter: (filters: AuditFilters) => void
  /** The address of the page that begins after this place; without one that of the newest changes. */
  pageLink: (after?: string) => string
}

/** Filters and page of the list of changes, kept in the address: they survive a reload, and can be sent to someone. */
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

/** The first moment of a day, or of one so many days later; undefined if that is no day. */
function startOfDay(day: string, later: number): string | undefined {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + later)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
