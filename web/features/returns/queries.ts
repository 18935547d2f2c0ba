import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import type { NewReturn, ReturnDecision, ReturnQuery } from '../../../contract/returns.ts'
import { call, callForPage } from '../../api.ts'
import { orderKeyHeaders, orders, useRefreshOrders } from '../orders/queries.ts'

/** A page of all returns. It belongs to the orders, because a change of an order can change its returns. */
export const returnPageQuery = (query: ReturnQuery) =>
  queryOptions({
    queryKey: [...orders, 'returns', query],
    queryFn: ({ signal }) => callForPage('listReturns', { query, signal }),
    placeholderData: keepPreviousData,
  })

/** @param key of a guest order; empty without one */
export function useRequestReturn(id: string, key: string) {
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn: (body: NewReturn) =>
      call('requestReturn', { params: { id }, headers: orderKeyHeaders(key), body }),
    onSettled: () => void refresh(),
  })
}

export function useDecideReturn(id: string) {
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn: (body: ReturnDecision) => call('decideReturn', { params: { id }, body }),
    onSettled: () => void refresh(),
  })
}
