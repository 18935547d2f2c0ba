import * as z from 'zod/mini'
import type { Product } from '../../../contract/catalog.ts'
import type { User } from '../../../contract/customers.ts'
import { colours, type OrderOptions, Purchase, sizes } from '../../../contract/orders.ts'

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

/** Initial values of the form, with name and phone from the profile. */
export const emptyPurchase = (product: Product, user: User): PurchaseValues => ({
  quantity: product.minimum,
  size: null,
  colour: null,
  customerName: user.name,
  customerPhone: user.phone,
  customerAddress: '',
})

/** Body of the purchase request. A separate call saves size and colour. */
export function toPurchase(values: PurchaseValues, product: Product, user: User): Purchase {
  return {
    productId: product._id,
    productName: product.name,
    quantity: values.quantity,
    amount: values.quantity * product.price,
    customerEmail: user.email,
    customerName: values.customerName,
    customerPhone: values.customerPhone,
    customerAddress: values.customerAddress,
  }
}

/** Size and colour, or null if neither was chosen. */
export function toOptions({ size, colour }: PurchaseValues): OrderOptions | null {
  if (!size && !colour) return null
  return { size: size ?? undefined, colour: colour ?? undefined }
}
