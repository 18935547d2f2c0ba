import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ProductQuery } from '../../../contract/catalog.ts'
import { call, callForPage } from '../../api.ts'

/** Query key of all product data; a change to one product invalidates all of it. */
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

/** The kinds of the products in the shop. */
export const kindsQuery = queryOptions({
  queryKey: [...products, 'kinds'],
  queryFn: async ({ signal }) => {
    const { facets } = await call('countProducts', { query: {}, signal })
    return facets.kind.values.map(({ value }) => value)
  },
})
