import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { EmailQuery } from '../../../contract/emails.ts'
import type { Order, OrderQuery } from '../../../contract/orders.ts'
import type { NewRefund, RefundQuery } from '../../../contract/payments.ts'
import type { NewShipment, Tracking } from '../../../contract/shipments.ts'
import { call, callForPage } from '../../api.ts'

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

/** A page of all refunds, newest first. */
export const refundPageQuery = (query: RefundQuery) =>
  queryOptions({
    queryKey: [...orders, 'refunds', query],
    queryFn: ({ signal }) => callForPage('listRefunds', { query, signal }),
    placeholderData: keepPreviousData,
  })

/** Polling interval in milliseconds while a payment is processing, else false. */
const whileProcessing = (shown: Pick<Order, 'processing'>[]) =>
  shown.some(({ processing }) => processing) ? 5_000 : false

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...orders, 'one', id],
    queryFn: ({ signal }) => call('getOrder', { query: { id }, signal }),
    refetchInterval: ({ state }) => whileProcessing(state.data ? [state.data] : []),
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

/** Invalidates all orders. The promise resolves when the visible ones are loaded again. */
export function useRefreshOrders(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries({ queryKey: orders }), [client])
}

/** The number of orders that were placed as a guest with the email of the account. */
export const guestOrdersQuery = queryOptions({
  queryKey: [...orders, 'guest'],
  queryFn: ({ signal }) => call('countGuestOrders', { signal }),
})

/** Adds those orders to the account. */
export const useClaimGuestOrders = () =>
  useOrderChange<void, { claimed: number }>(() => call('claimGuestOrders', {}))

export const useCancelOrder = () => useOrderChange((id: string) => call('deleteOrder', { query: { id } }))

export const useShipOrder = () =>
  useOrderChange((id: string) => call('updateShipping', { params: { id }, body: { shipping: 'Shipped' } }))

export const useShipLines = (id: string) =>
  useOrderChange((body: NewShipment) => call('shipOrder', { params: { id }, body }))

export const useEditShipment = (id: string) =>
  useOrderChange((body: Tracking) => call('editShipment', { params: { id }, body }))

/** The work of the day. */
export const todayQuery = queryOptions({
  queryKey: [...orders, 'today'],
  queryFn: ({ signal }) => call('getToday', { signal }),
  refetchInterval: 60_000,
})

/** A page of the emails about orders that have failed, the last one first. */
export const emailPageQuery = (query: EmailQuery) =>
  queryOptions({
    queryKey: [...orders, 'emails', query],
    queryFn: ({ signal }) => callForPage('listEmails', { query, signal }),
    placeholderData: keepPreviousData,
  })

export const useRetryEmail = () => useOrderChange((id: string) => call('retryEmail', { params: { id } }))

export const useDeleteEmail = () => useOrderChange((id: string) => call('deleteEmail', { params: { id } }))

/** Sets a shipment back; with a reason, if its email was sent. */
export const useSetBackShipment = (id: string) =>
  useOrderChange((reason: string | undefined) =>
    call('setBackShipment', { params: { id }, body: { reason } }),
  )

function useOrderChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const refresh = useRefreshOrders()
  return useMutation({ mutationFn, onSettled: () => void refresh() })
}

/** @param key the same for each attempt of one refund */
export const useRefundOrder = (id: string, key: string) =>
  useOrderChange((body: NewRefund) =>
    call('refundOrder', { params: { id }, headers: { 'idempotency-key': key }, body }),
  )

export const useCloseRefund = (id: string) =>
  useOrderChange((note: string) => call('closeRefund', { params: { id }, body: { note } }))
