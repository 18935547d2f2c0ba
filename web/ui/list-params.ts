import { navigate } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'

export interface ListParams {
  page: number
  sort: string | undefined
  q: string
  pageLink: (page: number) => string
  sortLink: (sort: string) => string
  search: (q: string) => void
}

/** Page, order and search of a list, kept in the address: they survive a reload, and can be sent to someone. */
export function useListParams(): ListParams {
  const params = new URLSearchParams(useLocation().search)
  const page = Number(params.get('page') ?? 1)

  const change = (changes: Record<string, string>) => {
    const next = new URLSearchParams(params)
    for (const [key, value] of Object.entries(changes)) {
      if (value) next.set(key, value)
      else next.delete(key)
    }
    return next
  }

  return {
    page: Number.isInteger(page) && page >= 1 ? page : 1,
    sort: params.get('sort') ?? undefined,
    q: params.get('q') ?? '',
    pageLink: (page) => `?${change({ page: page === 1 ? '' : String(page) })}`,
    sortLink: (sort) => `?${change({ sort, page: '' })}`,
    search: (q) => navigate(`?${change({ q, page: '' })}`, { replace: true, keepScroll: true }),
  }
}

/** The order that an address asks for, where the list knows it: a field, `-` before it for descending. */
export function knownSort<const Field extends string>(
  fields: readonly Field[],
  asked: string | undefined,
): Field | `-${Field}` | undefined {
  return fields.flatMap((field) => [field, `-${field}`] as const).find((sort) => sort === asked)
}
