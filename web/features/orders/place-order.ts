import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { Product } from '../../../contract/catalog.ts'
import { type ChosenProduct, colours, find, sizes } from '../../../contract/choice.ts'
import type { User } from '../../../contract/customers.ts'
import { multiplyPrice } from '../../../contract/money.ts'
import { type OrderOptions, Purchase } from '../../../contract/orders.ts'
import { call, isClientError } from '../../api.ts'
import { useRefreshOrders } from './queries.ts'

/** Places an order, then saves its note of size and colour. Returns whether it was saved; throws ApiError. */
export function usePlaceOrder(chosen: ChosenProduct, user: User) {
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn: async (values: PurchaseValues) => {
      const id = await placeOnce(values, chosen, user)
      return { optionsSaved: await saveOptions(id, values) }
    },
    onSuccess: () => void refresh(),
  })
}

async function placeOnce(values: PurchaseValues, chosen: ChosenProduct, user: User): Promise<string> {
  const body = toPurchase(values, chosen, user)
  const headers = { 'idempotency-key': getAttemptKey(body, values) }
  try {
    const { insertedId } = await call('confirmPurchase', { body, headers })
    closeAttempt(body.productId)
    return insertedId
  } catch (error) {
    // A 4xx response means that nothing was ordered. After any other error the order may exist.
    if (isClientError(error)) closeAttempt(body.productId)
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

interface Attempt {
  /** Sent as `Idempotency-Key`: the server never places two orders for one key. */
  key: string
  /** The request body as JSON. */
  sent: string
  values: PurchaseValues
}

const StoredAttempt = z.object({
  key: z.uuid(),
  sent: z.string(),
  values: z.looseObject({ quantity: z.number() }),
})

const storageKey = (productId: string) => `purchase:${productId}`

/**
 * Returns the idempotency key of this purchase. Double clicks and page reloads reuse it until the attempt is closed; a
 * changed purchase gets a new one.
 */
export function getAttemptKey(purchase: Purchase, values: PurchaseValues): string {
  const sent = JSON.stringify(purchase)
  const open = readAttempt(purchase.productId)
  const key = open?.sent === sent ? open.key : crypto.randomUUID()
  sessionStorage.setItem(storageKey(purchase.productId), JSON.stringify({ key, sent, values }))
  return key
}

/** Form values of a purchase that got no response, or null. */
export const getOpenAttemptValues = (productId: string): PurchaseValues | null =>
  readAttempt(productId)?.values ?? null

/** Deletes the key, so that the next purchase gets a new one. */
export function closeAttempt(productId: string): void {
  sessionStorage.removeItem(storageKey(productId))
}

/** Returns null also for a text that is not an attempt, or if the browser does not allow the shop to store data. */
function readAttempt(productId: string): Attempt | null {
  try {
    const attempt: unknown = JSON.parse(sessionStorage.getItem(storageKey(productId)) ?? 'null')
    return StoredAttempt.safeParse(attempt).success ? (attempt as Attempt) : null
  } catch {
    return null
  }
}

const notMatched = 'Quantity not matched'

/** Schema of the order form. The quantity must be between the product's minimum and its stock. */
export const purchaseSchema = ({ minimum, quantity }: Pick<Product, 'minimum' | 'quantity'>) =>
  z.object({
    quantity: z.int(notMatched).check(z.gte(minimum, notMatched), z.lte(quantity, notMatched)),
    size: z.nullish(z.enum(sizes)),
    colour: z.nullish(z.enum(colours)),
    customerName: Purchase.shape.customerName,
    customerPhone: Purchase.shape.customerPhone,
    customerAddress: Purchase.shape.customerAddress,
  })
export type PurchaseValues = z.infer<ReturnType<typeof purchaseSchema>>

/** Initial values of the form, with name and phone from the profile, and the chosen standard size and colour. */
export const emptyPurchase = ({ product, size, colour }: ChosenProduct, user: User): PurchaseValues => ({
  quantity: product.minimum,
  size: product.options === 'standard' ? find(sizes, size) : null,
  colour: product.options === 'standard' ? find(colours, colour) : null,
  customerName: user.name,
  customerPhone: user.phone,
  customerAddress: '',
})

/** Body of the purchase request. A separate call saves the standard size and colour. */
export function toPurchase(
  { quantity, customerName, customerPhone, customerAddress }: PurchaseValues,
  { product: { _id: productId, name: productName, price, options }, variant }: ChosenProduct,
  { email: customerEmail }: User,
): Purchase {
  const customer = { customerName, customerPhone, customerAddress, customerEmail }
  const variantId = options === 'variants' ? variant?.id : undefined
  return { productId, variantId, productName, quantity, amount: multiplyPrice(price, quantity), ...customer }
}

/** Size and colour, or null if neither was chosen. */
export function toOptions({ size, colour }: PurchaseValues): OrderOptions | null {
  if (!size && !colour) return null
  return { size: size ?? undefined, colour: colour ?? undefined }
}
