import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { EditedProduct, NewProduct, Product } from '../../../contract/catalog.ts'
import { call } from '../../api.ts'
import { productQuery, products } from './queries.ts'

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
