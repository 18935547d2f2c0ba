import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { OrderQuery } from '../../../contract/orders.ts'
import { call, callForPage } from '../../api.ts'

/** Everything that is read of orders; a change to one makes all of it stale. */
const orders = ['orders'] as const

/** One page of orders, newest first where no other order is asked for; without an e-mail those of everybody. */
export const orderPageQuery = (query: OrderQuery) =>
  queryOptions({
    queryKey: [...orders, 'page', query],
    queryFn: ({ signal }) => callForPage('listOrders', { query, signal }),
    placeholderData: keepPreviousData,
  })

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...orders, 'one', id],
    queryFn: ({ signal }) => call('getOrder', { query: { id }, signal }),
  })

/** Reads all orders again, in the background. */
export function useRefreshOrders(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries({ queryKey: orders }), [client])
}

export function useCancelOrder() {
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn: (id: string) => call('deleteOrder', { query: { id } }),
    onSettled: refresh,
  })
}

export function useShipOrder() {
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn: (id: string) => call('updateShipping', { params: { id }, body: { shipping: 'Shipped' } }),
    onSettled: refresh,
  })
}
