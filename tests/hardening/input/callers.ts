import { changeRole } from '../../../server/modules/customers/staff/repository.ts'
import {
  aCustomer,
  aGuestOrder,
  anAddress,
  anAdmin,
  anOrder,
  aProduct,
  type TestCustomer,
} from '../../factories.ts'
import type { ShopUnderTest } from '../shop-under-test.ts'
import type { CallerKind } from './attempts.ts'
import type { Known } from './from-schema.ts'

export interface BatchData {
  known: Known
  tokens: Record<CallerKind, string>
  /** Issues new tokens and removes the role of the customer, because attacks may sign out or grant a role. */
  renew(): Promise<void>
}

const prices = [40, 12.9]

/** Creates callers, products and orders for one batch. Earlier attacks may have changed the last batch. */
export async function openBatchData(shop: ShopUnderTest): Promise<BatchData> {
  const [rider, other, admin] = [await aCustomer(shop), await aCustomer(shop), await anAdmin(shop)]
  // With a rate that an attack has added, the specified call refuses the orders.
  await shop.db.deleteFrom('tax_rates').execute()
  await shop.db.deleteFrom('shipping_rates').execute()
  const products: string[] = []
  const orders: string[] = []
  for (const price of prices) {
    const productId = await aProduct(shop, { quantity: 1_000, price })
    products.push(productId)
    orders.push(await anOrder(callerAt(shop), rider, { productId, price }))
  }
  orders.push(await anOrder(callerAt(shop), other))
  // With the key that attacks know.
  const guest = await aGuestOrder(callerAt(shop))
  orders.push(guest.id)
  const addresses = [await anAddress(shop, rider), await anAddress(shop, other)]
  const forged = `${admin.token.slice(0, -4)}AAAA`
  const tokens = { nobody: '', customer: rider.token, admin: admin.token, forger: forged }
  return {
    known: listKnown(products, orders, addresses, guest.key, [
      rider.email,
      rider.email,
      other.email,
      admin.email,
    ]),
    tokens,
    async renew() {
      await changeRole(shop.db, rider.id, null, { granted_by: 'command' })
      tokens.customer = await readToken(shop, rider)
      tokens.admin = await readToken(shop, admin)
    },
  }
}

async function readToken({ db, accessTokens }: ShopUnderTest, { id, email }: TestCustomer): Promise<string> {
  const { token_version: tokenVersion } = await db
    .selectFrom('customers')
    .select('token_version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return accessTokens.sign({ customerId: id, email, tokenVersion })
}

function listKnown(
  products: string[],
  orders: string[],
  addresses: string[],
  orderKey: string,
  emails: string[],
): Known {
  return {
    id: [...products, ...orders, ...addresses],
    productId: products,
    variantId: products,
    orderId: orders,
    'order-key': [orderKey],
    email: emails,
    customerEmail: emails,
    quantity: [1, 1, 2],
    delta: [1, -1],
    amount: prices.flatMap((price) => [price, 2 * price]),
    price: [...prices, '0-25'],
    image: ['/pictures/helmet-full-face.svg', 'http://127.0.0.1/y.png'],
    photo: ['', 'https://x.example/y.png'],
    birthday: ['', '1990-04-30'],
    transactionId: ['pi_invented'],
    gtin: ['', '4006381333931'],
    slug: ['terms', 'chain-care'],
    path: ['/old', '/products/old', '/pages/terms'],
    target: ['/products', '/old', '/pages/terms'],
    attribute: ['Links:1..5', 'Pitch:520'],
  }
}

const callerAt = ({ db, accessTokens, processes: [{ call }] }: ShopUnderTest) => ({ db, accessTokens, call })
