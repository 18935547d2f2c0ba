import { useMutation } from '@tanstack/react-query'
import type { Product } from '../../../contract/catalog.ts'
import type { User } from '../../../contract/customers.ts'
import { call, isClientError } from '../../api.ts'
import { closeAttempt, getAttemptKey } from './purchase-attempt.ts'
import { type PurchaseValues, toOptions, toPurchase } from './purchase-values.ts'
import { useRefreshOrders } from './queries.ts'

/** Places an order, then saves its size and colour. Returns whether these were saved; throws ApiError. */
export function usePlaceOrder(product: Product, user: User) {
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn: async (values: PurchaseValues) => {
      const id = await placeOnce(values, product, user)
      return { optionsSaved: await saveOptions(id, values) }
    },
    onSuccess: () => void refresh(),
  })
}

async function placeOnce(values: PurchaseValues, product: Product, user: User): Promise<string> {
  const body = toPurchase(values, product, user)
  const headers = { 'idempotency-key': getAttemptKey(body, values) }
  try {
    const { insertedId } = await call('confirmPurchase', { body, headers })
    closeAttempt(product._id)
    return insertedId
  } catch (error) {
    // A 4xx response means that nothing was ordered. After any other error the order may exist.
    if (isClientError(error)) closeAttempt(product._id)
    throw error
  }
}

/** Returns false if saving fails, because the order itself is placed. */
async function saveOptions(id: string, values: PurchaseValues): Promise<boolean> {
  const body = toOptions(values)
  if (!body) return true
  return call('setOrderOptions', { params: { id }, body }).then(
    () => true,
    () => false,
  )
}
