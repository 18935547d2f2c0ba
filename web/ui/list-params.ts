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

/** Page, order and search text of a list. They are in the URL, so they survive a reload and can be shared. */
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

/** Returns the requested order if it is one of `fields`, with the prefix `-` for descending; else undefined. */
export function knownSort<const Field extends string>(
  fields: readonly Field[],
  requested: string | undefined,
): Field | `-${Field}` | undefined {
  return fields.flatMap((field) => [field, `-${field}`] as const).find((sort) => sort === requested)
}
