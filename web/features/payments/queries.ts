import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api.ts'

/**
 * Client secret to confirm the payment of an order; `amount` in dollars. The call creates the payment, so it is not
 * retried automatically.
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
