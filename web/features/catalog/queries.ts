import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewProduct, Product, ProductQuery } from '../../../contract/catalog.ts'
import { call, callForPage } from '../../api.ts'

/** Everything that is read of products; a change to one makes all of it stale. */
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

export const useAddProduct = () =>
  useProductChange((product: NewProduct) => call('addProduct', { body: product }))

export const useDeleteProduct = () =>
  useProductChange((id: string) => call('deleteProduct', { query: { id } }))

/** Adds pieces to the stock, or takes some out: the server adds `delta` to what there is at that moment. */
export const useRestock = ({ _id: id, quantity }: Product) =>
  useProductChange((delta: number) =>
    call('updateProduct', { params: { id }, body: { quantity: quantity + delta, delta } }),
  )

function useProductChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => void client.invalidateQueries({ queryKey: products }),
  })
}
