import * as z from 'zod/mini'
import { Product } from '../../../contract/catalog.ts'
import { type ChosenProduct, colours, find, sizes } from '../../../contract/choice.ts'
import type { Choice } from '../../../contract/choice-urls.ts'
import type { User } from '../../../contract/customers.ts'
import { multiplyPrice } from '../../../contract/money.ts'
import { type OrderOptions, Purchase } from '../../../contract/orders.ts'
import { call } from '../../api.ts'
import { useAttempt } from './attempt.ts'

/** The state of the page that sent a purchase. */
interface SentPurchase {
  values: PurchaseValues
  product: Product
  /** The choice of the URL. */
  choice: Choice
  bikeId?: number | undefined
}

/** The parts of a stored state that the page needs to show it. */
export const StoredPurchase = z.object({
  values: z.looseObject({ quantity: z.number() }),
  product: Product,
  choice: z.object({ size: z.optional(z.string()), colour: z.optional(z.string()) }),
  bikeId: Purchase.shape.bikeId,
})

export const usePurchase = (productId: string, customerId: string) =>
  useAttempt<SentPurchase>(
    `purchase:${productId}`,
    customerId,
    (form) => StoredPurchase.safeParse(form).success,
  )

/** Saves size and colour, if one was chosen. Returns false if it fails, because the order itself is placed. */
export async function saveOptions(id: string, values: PurchaseValues): Promise<boolean> {
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

/**
 * Initial values of the form, with name and phone from the profile, and the chosen standard size and colour. `wanted` is
 * the quantity in the URL, if there is one.
 */
export const emptyPurchase = (
  { product, size, colour }: ChosenProduct,
  user: User,
  wanted: number,
): PurchaseValues => ({
  quantity: wanted > product.minimum && wanted <= product.quantity ? Math.floor(wanted) : product.minimum,
  size: product.options === 'standard' ? find(sizes, size) : null,
  colour: product.options === 'standard' ? find(colours, colour) : null,
  customerName: user.name,
  customerPhone: user.phone,
  customerAddress: '',
})

/** The price of a quantity in dollars. The shop refuses an order with another amount. */
export const toAmount = ({ product }: ChosenProduct, quantity: number): number =>
  multiplyPrice(product.price, quantity)

/** Body of the purchase request. A separate call saves the standard size and colour. */
export function toPurchase(
  { quantity, customerName, customerPhone, customerAddress }: PurchaseValues,
  chosen: ChosenProduct,
  { email: customerEmail }: User,
  bikeId?: number,
): Purchase {
  const { _id: productId, name: productName, options } = chosen.product
  const customer = { customerName, customerPhone, customerAddress, customerEmail }
  const variantId = options === 'variants' ? chosen.variant?.id : undefined
  const amount = toAmount(chosen, quantity)
  return { productId, variantId, productName, quantity, amount, ...customer, bikeId }
}

/** Size and colour, or null if neither was chosen. */
export function toOptions({ size, colour }: PurchaseValues): OrderOptions | null {
  if (!size && !colour) return null
  return { size: size ?? undefined, colour: colour ?? undefined }
}
