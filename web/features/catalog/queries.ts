import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { EditedProduct, NewProduct, Product, ProductQuery } from '../../../contract/catalog.ts'
import { call, callForPage } from '../../api.ts'

/** Query key of all product data; a change to one product invalidates all of it. */
const products = ['products'] as const

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

export const useAddProduct = () =>
  useProductChange((product: NewProduct) => call('addProduct', { body: product }))

export const useEditProduct = (id: string) =>
  useProductChange((body: EditedProduct) => call('editProduct', { params: { id }, body }))

export const useDeleteProduct = () =>
  useProductChange((id: string) => call('deleteProduct', { query: { id } }))

/** Adds `delta` pieces to the stock. The server applies it to the current stock. */
export function useRestock({ _id: id, quantity }: Product) {
  const client = useQueryClient()
  return useProductChange(async (delta: number) => {
    const body = { quantity: quantity + delta, delta }
    const { quantity: stock } = await call('updateProduct', { params: { id }, body })
    client.setQueryData(productQuery(id).queryKey, (known) => known && { ...known, quantity: stock })
    return { delta, stock }
  })
}

/** Invalidates all product data, after an error as well: a lost response may have been a success. */
function useProductChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => void client.invalidateQueries({ queryKey: products }),
  })
}
