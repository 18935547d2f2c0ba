import { randomUUID } from 'node:crypto'
import type { NewProduct } from '../contract/catalog.ts'
import * as catalog from '../server/modules/catalog/service.ts'
import * as customers from '../server/modules/customers/service.ts'
import { confirmCard } from './confirm-card.ts'
import type { TestShop } from './shop.ts'

/** What a row needs that is made without HTTP: a shop's database, and who signs its tokens. */
type TestDatabase = Pick<TestShop, 'db' | 'accessTokens'>

export interface TestCustomer {
  id: string
  email: string
  token: string
}

/** A customer who is signed in. */
export async function aCustomer(
  shop: TestDatabase,
  { email = `rider-${randomUUID()}@example.com`, name = 'Robin Rider' } = {},
): Promise<TestCustomer> {
  const identity = { issuer: 'test', subject: randomUUID(), email, emailVerified: true, name, picture: null }
  const customer = await customers.findOrCreateCustomer(shop.db, identity, name, {
    emails: [],
    trustUnverified: false,
  })
  return signedIn(shop, customer)
}

/** An admin who is signed in. */
export async function anAdmin(shop: TestDatabase): Promise<TestCustomer> {
  const { email } = await aCustomer(shop)
  await customers.makeAdmin(shop.db, email, null)
  return signedIn(shop, await customers.requireCustomerByEmail(shop.db, email))
}

async function signedIn(shop: TestDatabase, customer: customers.Customer): Promise<TestCustomer> {
  const { id, email, token_version: tokenVersion } = customer
  return { id, email, token: await shop.accessTokens.sign({ customerId: id, email, tokenVersion }) }
}

/** A product of the shop; answers its id. */
export function aProduct(shop: Pick<TestDatabase, 'db'>, product: Partial<NewProduct> = {}): Promise<string> {
  return catalog.addProduct(
    shop.db,
    {
      name: 'Sintered brake pads',
      description: 'For the front.',
      image: '/pictures/brake-pads.svg',
      price: 40,
      quantity: 10,
      minimum: 1,
      ...product,
    },
    null,
  )
}

/** An unpaid order, placed over HTTP; answers its id. */
export async function anOrder(
  shop: TestDatabase & Pick<TestShop, 'call'>,
  buyer: TestCustomer,
  { productId, quantity = 1, price = 40 }: { productId?: string; quantity?: number; price?: number } = {},
): Promise<string> {
  const product = productId ?? (await aProduct(shop, { price }))
  const { body, status } = await shop.call('confirmPurchase', {
    as: buyer,
    body: { productId: product, quantity, amount: quantity * price, customerAddress: '1 Road' },
  })
  if (status !== 200) throw new Error(`the order was refused: ${JSON.stringify(body)}`)
  return body.insertedId
}

/** Pays with a test card at the sandbox, as the browser's card field does. */
export function payAtSandbox(shop: TestShop, clientSecret: string, card = 'pm_card_visa') {
  const api = `${shop.config.origin}/sandbox/payments`
  return confirmCard(api, shop.settings.stripe.publishableKey, clientSecret, card)
}

/** Has the sandbox decide at once on what takes time there: an intent that is processing, or a refund. */
export async function decideAtSandbox(
  shop: TestShop,
  path: `payment_intents/${string}` | `refunds/${string}`,
  clientSecret = '',
) {
  const response = await fetch(`${shop.config.origin}/sandbox/payments/v1/${path}/sandbox_decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.settings.stripe.publishableKey}` },
    body: new URLSearchParams(clientSecret ? { client_secret: clientSecret } : {}),
  })
  return { status: response.status, body: await response.json() }
}
