import { listCanonical } from '../features/catalog/list-canonical.ts'
import { listSearch, listTitle, readListQuery } from '../features/catalog/list-query.ts'
import type { LoaderRequest } from './loader.ts'

const pageSize = 24

export async function loadProducts({ url, queries }: LoaderRequest) {
  const { page = 1, ...query } = readListQuery(url)
  const [list, facets] = await Promise.all([
    queries.products({ ...query, page, pageSize }),
    queries.facets(query),
  ])
  const pages = Math.max(1, Math.ceil(list.reachableTotal / pageSize))
  const { q = '', sort = '', ...chosen } = query
  const data = {
    ...list,
    facets,
    q,
    sort,
    chosen,
    page,
    pages,
    before: (page - 1) * pageSize,
    search: listSearch(query),
    title: listTitle({ ...query, page }),
    canonical: listCanonical({ ...query, page }, list.products.length),
  }
  return { data, status: page > pages ? 404 : 200 }
}
