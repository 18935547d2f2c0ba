import { useMutation } from '@tanstack/react-query'
import type { NewReturn, ReturnDecision } from '../../../contract/returns.ts'
import { call } from '../../api.ts'
import { pageQuery } from '../../page-query.ts'
import { orderKeyHeaders, orders, useRefreshOrders } from '../orders/queries.ts'

/** A page of all returns. It belongs to the orders, because a change of an order can change its returns. */
export const returnPageQuery = pageQuery('listReturns', [...orders, 'returns'])

/**
 * @param key of a guest order; empty without one
 * @param idempotencyKey a repeated request with it, after a lost response, is made once
 */
export function useRequestReturn(id: string, key: string, idempotencyKey: string) {
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn: (body: NewReturn) =>
      call('requestReturn', {
        params: { id },
        headers: { ...orderKeyHeaders(key), 'idempotency-key': idempotencyKey },
        body,
      }),
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
