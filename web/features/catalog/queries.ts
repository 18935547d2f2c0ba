import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api.ts'

/** Everything that is read of products; a change to one makes all of it stale. */
export const products = ['products'] as const

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: [...products, 'one', id],
    queryFn: ({ signal }) => call('getProduct', { params: { id }, signal }),
  })
