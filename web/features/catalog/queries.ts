import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ProductQuery } from '../../../contract/catalog.ts'
import { call, callForPage } from '../../api.ts'

/** Everything that is read of products; a change to one makes all of it stale. */
export const products = ['products'] as const

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: [...products, 'one', id],
    queryFn: ({ signal }) => call('getProduct', { params: { id }, signal }),
  })

/** One page of the product list. */
export const productPageQuery = (query: ProductQuery) =>
  queryOptions({
    queryKey: [...products, 'page', query],
    queryFn: ({ signal }) => callForPage('listProducts', { query, signal }),
    placeholderData: keepPreviousData,
  })

/** The names of the kinds of part that the shop has. */
export const kindsQuery = queryOptions({
  queryKey: [...products, 'kinds'],
  queryFn: async ({ signal }) => {
    const { facets } = await call('countProducts', { query: {}, signal })
    return facets.kind.values.map(({ value }) => value)
  },
})
