import type { NewReturn, ReturnDecision } from '../../../contract/returns.ts'
import { call } from '../../api.ts'
import { pageQuery } from '../../page-query.ts'
import { orderKeyHeaders, orders, useOrderChange } from '../orders/queries.ts'

/** A page of all returns. It belongs to the orders, because a change of an order can change its returns. */
export const returnPageQuery = pageQuery('listReturns', [...orders, 'returns'])

/**
 * @param key of a guest order; empty without one
 * @param idempotencyKey a repeated request with it, after a lost response, is made once
 */
export const useRequestReturn = (id: string, key: string, idempotencyKey: string) =>
  useOrderChange((body: NewReturn) =>
    call('requestReturn', {
      params: { id },
      headers: { ...orderKeyHeaders(key), 'idempotency-key': idempotencyKey },
      body,
    }),
  )

export const useDecideReturn = (id: string) =>
  useOrderChange((body: ReturnDecision) => call('decideReturn', { params: { id }, body }))
