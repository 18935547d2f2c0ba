import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api.ts'

/**
 * The secret with which the browser confirms the payment of an order; `amount` in dollars. Asking for it opens the
 * payment: that is a write, so it is not repeated by itself.
 */
export const paymentSecretQuery = (orderId: string, amount: number) =>
  queryOptions({
    queryKey: ['payment-secret', orderId, amount],
    queryFn: async ({ signal }) => {
      const { client_secret } = await call('createPaymentIntent', { body: { amount, orderId }, signal })
      return client_secret
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
