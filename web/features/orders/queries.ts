import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Order, OrderQuery } from '../../../contract/orders.ts'
import type { NewRefund } from '../../../contract/payments.ts'
import type { EditedTracking, NewShipment } from '../../../contract/shipments.ts'
import type { OrderCountQuery, WorkListQuery, WorkOrder } from '../../../contract/work-lists.ts'
import { call, callForPage } from '../../api.ts'
import { pageQuery } from '../../page-query.ts'
import { sendOnce } from './attempt.ts'

/** Query key of all order data; a change to one order invalidates all of it. */
export const orders = ['orders'] as const

/** One page of orders, newest first by default. Without an email it includes all customers. */
export const orderPageQuery = (query: OrderQuery) =>
  queryOptions({
    queryKey: [...orders, 'page', query],
    queryFn: ({ signal }) => callForPage('listOrders', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whileProcessing(state.data?.rows ?? []),
  })

/** Apart from `orders`: a change of one order must not move the rows of a work list. */
const workLists = ['work-lists'] as const

/**
 * One page of a work list, with the counts of all tabs just before. It is read when the page is opened and on request,
 * never by itself.
 */
export const workListQuery = (query: WorkListQuery) =>
  queryOptions({
    queryKey: [...workLists, query],
    async queryFn({ signal }) {
      const { page: _, pageSize: __, sort: ___, ...filters } = query
      const counts = await call('countWork', { query: filters, signal })
      return { ...(await callForPage('listWork', { query, signal })), counts }
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The counts of all tabs, read every 20 seconds while the page is visible. */
export const workCountsQuery = (query: OrderCountQuery) =>
  queryOptions({
    queryKey: ['work-counts', query],
    queryFn: ({ signal }) => call('countWork', { query, signal }),
    staleTime: 20_000,
    refetchInterval: 20_000,
  })

/** Reads one order of the work lists again. The other rows stay. If it is not in the list any more, reads all again. */
export async function refreshRow(client: QueryClient, id: string): Promise<void> {
  type Page = { rows: WorkOrder[] }
  const pages = client.getQueriesData<Page>({ queryKey: workLists })
  if (!pages.some(([, page]) => page?.rows.some((row) => row._id === id))) return
  // The search also finds newer orders whose notes have this id.
  const found = await call('listWork', { query: { q: id, pageSize: 20 } }).catch(() => [])
  const changed = found.find(({ _id }) => _id === id)
  if (!changed) return client.invalidateQueries({ queryKey: workLists })
  client.setQueriesData<Page>(
    { queryKey: workLists },
    (page) => page && { ...page, rows: page.rows.map((row) => (row._id === id ? changed : row)) },
  )
}

/** A page of all refunds, newest first. */
export const refundPageQuery = pageQuery('listRefunds', [...orders, 'refunds'])

/** Polling interval in milliseconds while a payment is processing, else false. */
const whileProcessing = (shown: Pick<Order, 'processing'>[]) =>
  shown.some(({ processing }) => processing) ? 5_000 : false

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...orders, 'one', id],
    queryFn: ({ signal }) => call('getOrder', { query: { id }, signal }),
    refetchInterval: ({ state }) => whileProcessing(state.data ? [state.data] : []),
  })

/** Reads an order with the details that lists do not have. For staff it includes notes, and finds cancelled orders. */
export const wholeOrderQuery = (id: string, forAdmin: boolean) =>
  queryOptions({
    queryKey: [...orders, 'whole', id, forAdmin],
    async queryFn({ signal }) {
      if (!forAdmin) return { order: await call('getOrder', { query: { id }, signal }), staff: null }
      const { staff } = await call('getOrderDetails', {
        params: { id },
        headers: orderKeyHeaders(''),
        signal,
      })
      if (!staff) throw new Error('the order was not read as an admin')
      return { order: staff.order, staff }
    },
    refetchInterval: ({ state }) => whileProcessing(state.data ? [state.data.order] : []),
  })

/** The key of an order as a header; without one, the order is read as the signed-in customer. */
export const orderKeyHeaders = (key: string) => ({ 'order-key': key || undefined })

/**
 * An order for its buyer, cancelled or not.
 *
 * @param key of a guest order; empty without one
 * @param customerId the signed-in customer: another one may not see the same order
 */
export const orderDetailsQuery = (id: string, key: string, customerId: string | null) =>
  queryOptions({
    queryKey: [...orders, 'details', id, key, customerId],
    queryFn: ({ signal }) =>
      call('getOrderDetails', { params: { id }, headers: orderKeyHeaders(key), signal }),
    refetchInterval: ({ state }) => whileProcessing(state.data ? [state.data] : []),
    refetchOnWindowFocus: 'always',
  })

/**
 * Invalidates all orders, and the search results and customers of the staff, which show their status. The promise resolves
 * when the visible ones are loaded again.
 */
export function useRefreshOrders(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    await Promise.all([orders, ['desk']].map((queryKey) => client.invalidateQueries({ queryKey })))
  }, [client])
}

/** The number of orders that were placed as a guest with the email of the account. */
export const guestOrdersQuery = queryOptions({
  queryKey: [...orders, 'guest'],
  queryFn: ({ signal }) => call('countGuestOrders', { signal }),
})

/** Adds those orders to the account. */
export const useClaimGuestOrders = () =>
  useOrderChange<void, { claimed: number }>(() => call('claimGuestOrders', {}))

export const useCancelOrder = () =>
  useOrderChange(
    (id: string) => call('deleteOrder', { query: { id } }),
    (id) => id,
  )

export const useShipOrder = () =>
  useOrderChange(
    (id: string) => call('updateShipping', { params: { id }, body: { shipping: 'Shipped' } }),
    (id) => id,
  )

export const useShipLines = (id: string) =>
  useOrderChange(
    (body: NewShipment) => call('shipOrder', { params: { id }, body }),
    () => id,
  )

export const useEditShipment = (id: string) =>
  useOrderChange((body: EditedTracking) => call('editShipment', { params: { id }, body }))

/** The work of the day. */
export const todayQuery = queryOptions({
  queryKey: [...orders, 'today'],
  queryFn: ({ signal }) => call('getToday', { signal }),
  refetchInterval: 60_000,
})

/** A page of the emails about orders that have failed, the last one first. */
export const emailPageQuery = pageQuery('listEmails', [...orders, 'emails'])

export const useRetryEmail = () => useOrderChange((id: string) => call('retryEmail', { params: { id } }))

export const useDeleteEmail = () => useOrderChange((id: string) => call('deleteEmail', { params: { id } }))

/** Sets a shipment of an order back; with a reason, if its email was sent. */
export const useSetBackShipment = (id: string, orderId?: string) =>
  useOrderChange(
    (reason: string | undefined) => call('setBackShipment', { params: { id }, body: { reason } }),
    () => orderId,
  )

/** @param toOrderId returns the order whose row in the work lists changes */
export function useOrderChange<Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  toOrderId?: (input: Input) => string | undefined,
) {
  const client = useQueryClient()
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn,
    onSettled: (_output, _error, input) => {
      void refresh()
      const id = toOrderId?.(input)
      if (id) void refreshRow(client, id)
    },
  })
}

/** A refund without an answer keeps its key, even if the dialog is closed or the refund is changed: the shop makes one. */
export const useRefundOrder = (id: string) =>
  useOrderChange(
    (body: NewRefund) =>
      sendOnce(`refund:${id}`, { customerId: null, body: {}, form: null }, (key) =>
        call('refundOrder', { params: { id }, headers: { 'idempotency-key': key }, body }),
      ),
    () => id,
  )

export const useCloseRefund = (id: string) =>
  useOrderChange((note: string) => call('closeRefund', { params: { id }, body: { note } }))
