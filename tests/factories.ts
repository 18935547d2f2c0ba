import { randomUUID } from 'node:crypto'
import type { NewAddress } from '../contract/addresses.ts'
import { toBikeSlug } from '../contract/bike-urls.ts'
import type { Checkout, PlacedPhoneOrder } from '../contract/checkout.ts'
import type { EditedSizeChart, SizeChart } from '../contract/gear.ts'
import { toCents, toDollars } from '../contract/money.ts'
import type { StaffRole } from '../contract/permissions.ts'
import * as addresses from '../server/modules/addresses/service.ts'
import { addBikes, listBikes } from '../server/modules/bikes/service.ts'
import * as gear from '../server/modules/catalog/gear/service.ts'
import * as catalog from '../server/modules/catalog/service.ts'
import * as customers from '../server/modules/customers/service.ts'
import { changeRole } from '../server/modules/customers/staff/repository.ts'
import type { Caller, CallOptions } from './call.ts'
import { confirmCard } from './confirm-card.ts'
import type { TestShop } from './shop.ts'

/** Creates rows without HTTP: the database and the token signer of a shop. */
type TestDatabase = Pick<TestShop, 'db' | 'accessTokens'>

export interface TestCustomer {
  id: string
  email: string
  token: string
}

/** Creates a signed-in customer. */
export async function aCustomer(
  shop: TestDatabase,
  { email = `rider-${randomUUID()}@example.com`, name = 'Robin Rider', emailVerified = true } = {},
): Promise<TestCustomer> {
  const identity = { issuer: 'test', subject: randomUUID(), email, emailVerified, name, picture: null }
  const customer = await customers.findOrCreateCustomer(shop.db, identity, name, {
    emails: [],
    trustUnverified: false,
  })
  return signedIn(shop, customer)
}

/** Creates a signed-in admin. The first one owns the shop. */
export async function anAdmin(shop: TestDatabase): Promise<TestCustomer> {
  const { email } = await aCustomer(shop)
  await customers.makeAdmin(shop.db, email, null)
  return signedIn(shop, await customers.requireCustomerByEmail(shop.db, email))
}

/** Creates a signed-in person with a role of staff. Unlike `anAdmin`, the first one does not own the shop. */
export async function aStaffMember(shop: TestDatabase, role: StaffRole): Promise<TestCustomer> {
  const { id, email } = await aCustomer(shop)
  await changeRole(shop.db, id, role, { granted_by: 'command' })
  return signedIn(shop, await customers.requireCustomerByEmail(shop.db, email))
}

/** Signs a customer in. Each call is another sign-in. */
export async function signedIn(shop: TestDatabase, customer: customers.Customer): Promise<TestCustomer> {
  const { id, email, token_version: tokenVersion } = customer
  const signIn = { issuer: 'test', sid: randomUUID() }
  return { id, email, token: await shop.accessTokens.sign({ customerId: id, email, tokenVersion, signIn }) }
}

export const someAddress = {
  name: 'Robin Rider',
  line1: '14 Kickstand Lane',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62701',
  country: 'US',
}

/** Saves an address of a customer; returns its id. */
export async function anAddress(
  { db }: Pick<TestDatabase, 'db'>,
  owner: TestCustomer,
  address: NewAddress = someAddress,
): Promise<string> {
  const saved = await addresses.addAddress(db, owner.id, address)
  const { id = '' } = saved.at(-1) ?? {}
  return id
}

/** Adds a bike; returns its id. The one without a version is added with it. */
export async function aBike(
  { db }: Pick<TestDatabase, 'db'>,
  {
    make = 'Hayashi',
    model = 'K6',
    year = 2012,
    version = '',
  }: { make?: string; model?: string; year?: number; version?: string } = {},
): Promise<number> {
  await addBikes(db, [{ make, model, year, version, source: 'test' }])
  const { bikes = [] } = await listBikes(db, { make: toBikeSlug(make), model: toBikeSlug(model) })
  const bike = bikes.find((each) => each.year === year && each.version === version)
  if (!bike) throw new Error('The bike was not added')
  return bike.id
}

/** Adds a product; returns its id. */
export function aProduct(
  shop: Pick<TestDatabase, 'db'>,
  product: Partial<Parameters<typeof catalog.addProduct>[1]> = {},
): Promise<string> {
  return catalog.addProduct(
    shop.db,
    {
      name: 'Sintered brake pads',
      description: 'For the front.',
      image: '/pictures/brake-pads.svg',
      price: 40,
      quantity: 10,
      minimum: 1,
      options: 'none',
      ...product,
    },
    null,
  )
}

/** Returns the ETag to edit a product, its certificates or its pictures with; none if it does not exist. */
export async function readProductEtag(
  shop: Pick<Caller, 'call'>,
  as: TestCustomer,
  id: string,
): Promise<string> {
  const { headers } = await shop.call('getEditableProduct', { as, params: { id } })
  return headers.get('etag') ?? '"none"'
}

/** A jacket for $200: (L, Blue) is sold out, (L, Red) does not exist, and XL costs $20 more. */
export const someJacket = {
  name: 'Touring jacket',
  kind: 'Jackets',
  brand: 'Ravenmoor',
  price: 200,
  variants: [
    { size: 'M', colour: 'Blue', swatch: '#1d5fa8', sku: 'J-M-BL', gtin: '4006381333931', quantity: 8 },
    { size: 'M', colour: 'Red', swatch: '#c8261b', image: '/pictures/jacket/c8261b.svg', quantity: 2 },
    { size: 'L', colour: 'Blue', swatch: '#1d5fa8', quantity: 0 },
    { size: 'XL', colour: 'Blue', swatch: '#1d5fa8', price: 219.5, quantity: 3 },
  ],
}

/** A helmet size chart of a brand, in centimetres. */
export const someSizeChart: EditedSizeChart = {
  brand: 'Corvane',
  kind: 'Full-face helmets',
  unit: 'cm',
  columns: ['Head'],
  rows: [
    { size: 'M', values: [[57, 58]] },
    { size: 'L', values: [[59, 60]] },
  ],
  source: 'Corvane, 2026',
}

/** Adds a size chart, and with it the brand. */
export const aSizeChart = (
  { db }: Pick<TestDatabase, 'db'>,
  id: string,
  chart: Partial<EditedSizeChart> = {},
): Promise<SizeChart> => gear.saveSizeChart(db, id, { ...someSizeChart, ...chart }, null)

/** Adds a product with sizes of these stocks; returns the id of each. The first one is also the product's id. */
export async function aProductInSizes<Size extends string>(
  shop: Pick<TestDatabase, 'db'>,
  stocks: Record<Size, number>,
  product: Parameters<typeof aProduct>[1] = {},
): Promise<Record<Size, string>> {
  const variants = Object.entries<number>(stocks).map(([size, quantity]) => ({ size, quantity }))
  const added = await catalog.listVariants(shop.db, await aProduct(shop, { ...product, variants }))
  return Object.fromEntries(added.map(({ id, size }) => [size, id])) as Record<Size, string>
}

/** How often a call is sent that waits too long for a lock. */
const maxAttempts = 100

/** Sends a call again while the shop is busy, as clients do. */
export async function untilDecided<Reply extends { status: number }>(
  send: () => Promise<Reply>,
): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await send()
    if (reply.status !== 503 || attempt === maxAttempts) return reply
  }
}

/** Places an unpaid order over HTTP; returns its id. */
export async function anOrder(
  shop: TestDatabase & Pick<TestShop, 'call'>,
  buyer: TestCustomer,
  { productId, quantity = 1, price = 40 }: { productId?: string; quantity?: number; price?: number } = {},
): Promise<string> {
  const product = productId ?? (await aProduct(shop, { price }))
  const purchase = { productId: product, quantity, amount: quantity * price, customerAddress: '1 Road' }
  const { body, status } = await untilDecided(() =>
    shop.call('confirmPurchase', { as: buyer, body: purchase }),
  )
  if (status !== 200) throw new Error(`the order was refused: ${JSON.stringify(body)}`)
  return body.insertedId
}

/** The body of a checkout: lines with the prices that the buyer saw. */
export function aCheckout(lines: CheckoutLine[], more: Partial<Checkout> = {}): Checkout {
  const cents = lines.reduce((sum, { unitPrice, quantity }) => sum + toCents(unitPrice) * quantity, 0)
  return { lines, total: toDollars(cents), address: someAddress, ...more }
}
type CheckoutLine = Checkout['lines'][number]

/** Places an unpaid order of a customer's cart over HTTP; returns its id. */
export async function aPlacedCheckout(
  shop: Pick<TestShop, 'call'>,
  buyer: TestCustomer,
  body: Checkout,
): Promise<string> {
  const placed = await shop.call('checkOut', {
    as: buyer,
    headers: { 'idempotency-key': randomUUID() },
    body,
  })
  if (placed.status !== 200) throw new Error(`the order was refused: ${JSON.stringify(placed.body)}`)
  return placed.body.id
}

/** Places an unpaid order of a guest over HTTP; returns its id and its key. */
export async function aGuestOrder(
  shop: Pick<TestShop, 'db' | 'call'>,
  { email = `guest-${randomUUID()}@example.com`, productId = '', quantity = 1, price = 40 } = {},
): Promise<{ id: string; key: string; email: string; headers: { 'order-key': string } }> {
  const variantId = productId || (await aProduct(shop, { price }))
  const { body, status } = await shop.call('checkOut', {
    headers: { 'idempotency-key': randomUUID() },
    body: aCheckout([{ variantId, quantity, unitPrice: price }], { email, asGuest: true }),
  })
  if (status !== 200 || !body.key) throw new Error(`the order was refused: ${JSON.stringify(body)}`)
  return { id: body.id, key: body.key, email, headers: { 'order-key': body.key } }
}

/** Returns a wrong key of the same form. A fixed ending would be the right one for some keys. */
export const aWrongKey = (key: string): string => `${key.startsWith('A') ? 'B' : 'A'}${key.slice(1)}`

/** Places an unpaid order by phone over HTTP; returns it with the header that opens it. */
export async function aPhoneOrder(
  shop: Pick<TestShop, 'db' | 'call'>,
  admin: TestCustomer,
  { email = `caller-${randomUUID()}@example.com`, productId = '', payWithinDays = 7 } = {},
): Promise<PlacedPhoneOrder & { email: string; headers: { 'order-key': string } }> {
  const variantId = productId || (await aProduct(shop, { price: 40 }))
  const order = aCheckout([{ variantId, quantity: 1, unitPrice: 40 }], { email })
  const { body, status } = await shop.call('placePhoneOrder', {
    as: admin,
    headers: { 'idempotency-key': randomUUID() },
    body: { ...order, payWithinDays },
  })
  if (status !== 200) throw new Error(`the order was refused: ${JSON.stringify(body)}`)
  return { ...body, email, headers: { 'order-key': new URL(body.url).hash.slice(1) } }
}

/** Pays with a test card at the sandbox, like the card field in the browser. */
export function payAtSandbox(shop: TestShop, clientSecret: string, card = 'pm_card_visa') {
  const api = `${shop.config.origin}/sandbox/payments`
  return confirmCard(api, shop.settings.stripe.publishableKey, clientSecret, card)
}

/** Pays an order at the sandbox, and reports it to the shop. */
export async function payOrder(
  shop: TestShop,
  buyer: Pick<CallOptions, 'as' | 'headers'>,
  id: string,
  card?: string,
): Promise<void> {
  const opened = await shop.call('openOrderPayment', { ...buyer, params: { id } })
  const { intentId } = await payAtSandbox(shop, opened.body.clientSecret, card)
  const hint = { params: { id }, body: { transactionId: intentId } }
  const paid = await shop.call('confirmOrderPayment', { ...buyer, ...hint })
  if (paid.status !== 200) throw new Error(`the payment was refused: ${JSON.stringify(paid.body)}`)
}

/** Pays an order of $40 that another payment has already paid. */
export async function payTwice(
  shop: TestShop,
  buyer: TestCustomer,
  card?: string,
): Promise<{ orderId: string; intentId: string }> {
  const orderId = await anOrder(shop, buyer)
  const { body } = await shop.call('createPaymentIntent', { as: buyer, body: { amount: 40, orderId } })
  await shop.db
    .updateTable('orders')
    .set({ status: 'paid', payment_provider: 'stripe', transaction_id: `pi_other_${orderId}` })
    .where('id', '=', orderId)
    .execute()
  const { intentId } = await payAtSandbox(shop, body.client_secret, card)
  return { orderId, intentId }
}

/** Places an order over HTTP, and pays it at the sandbox. */
export async function aPaidOrder(
  shop: TestShop,
  buyer: TestCustomer,
  { card, ...order }: Parameters<typeof anOrder>[2] & { card?: string } = {},
): Promise<string> {
  const id = await anOrder(shop, buyer, order)
  await payOrder(shop, { as: buyer }, id, card)
  return id
}

/** Makes the sandbox decide immediately on a processing intent or a refund. */
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
