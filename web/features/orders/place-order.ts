import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { Product } from '../../../contract/catalog.ts'
import { type Choice, type ChosenProduct, colours, find, sizes } from '../../../contract/choice.ts'
import type { User } from '../../../contract/customers.ts'
import { multiplyPrice } from '../../../contract/money.ts'
import { type OrderOptions, Purchase } from '../../../contract/orders.ts'
import { call } from '../../api.ts'
import { readAttempt, sendOnce } from './attempt.ts'
import { useRefreshOrders } from './queries.ts'

/**
 * Places an order of `loaded` with a choice, then saves its note of size and colour. Returns whether it was saved;
 * throws ApiError.
 */
export function usePlaceOrder(loaded: Product, chosen: ChosenProduct, user: User) {
  const refresh = useRefreshOrders()
  return useMutation({
    mutationFn: async ({ values, bikeId }: { values: PurchaseValues; bikeId: number | undefined }) => {
      const body = toPurchase(values, chosen, user, bikeId)
      const choice = { size: chosen.size, colour: chosen.colour }
      const order = { customerId: user._id, body, form: { values, product: loaded, choice, bikeId } }
      const { insertedId } = await sendOnce(toName(loaded._id), order, (key) =>
        call('confirmPurchase', { body, headers: { 'idempotency-key': key } }),
      )
      return { optionsSaved: await saveOptions(insertedId, values) }
    },
    onSuccess: () => void refresh(),
  })
}

/** The state of the page that sent a purchase. */
export interface SentPurchase {
  values: PurchaseValues
  product: Product
  /** The choice of the URL. */
  choice: Choice
  bikeId?: number | undefined
}

/** The parts of a stored state that the page needs to show it. */
const StoredPurchase = z.object({
  values: z.looseObject({ quantity: z.number() }),
  product: Product,
  choice: z.object({ size: z.optional(z.string()), colour: z.optional(z.string()) }),
  bikeId: Purchase.shape.bikeId,
})

const toName = (productId: string) => `purchase:${productId}`

/** Returns the purchase of this customer that got no answer, or null. */
export const readPurchase = (productId: string, customerId: string): SentPurchase | null =>
  readAttempt<SentPurchase>(toName(productId), customerId, StoredPurchase)?.form ?? null

/** Returns false if saving fails, because the order itself is placed. */
async function saveOptions(id: string, values: PurchaseValues): Promise<boolean> {
  const body = toOptions(values)
  if (!body) return true
  return call('setOrderOptions', { params: { id }, body }).then(
    () => true,
    () => false,
  )
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
  bikeId?: number,
): Purchase {
  const customer = { customerName, customerPhone, customerAddress, customerEmail }
  const variantId = options === 'variants' ? variant?.id : undefined
  const amount = multiplyPrice(price, quantity)
  return { productId, variantId, productName, quantity, amount, ...customer, bikeId }
}

/** Size and colour, or null if neither was chosen. */
export function toOptions({ size, colour }: PurchaseValues): OrderOptions | null {
  if (!size && !colour) return null
  return { size: size ?? undefined, colour: colour ?? undefined }
}
