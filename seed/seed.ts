import { type Kysely, sql } from 'kysely'
import { sizes } from '../contract/choice.ts'
import type { OrderStatus } from '../contract/order-status.ts'
import type { Database } from '../db/schema.ts'
import * as addresses from '../server/modules/addresses/service.ts'
import { addBikeAliases, addBikes } from '../server/modules/bikes/service.ts'
import { saveAttributes } from '../server/modules/catalog/attributes/service.ts'
import * as gear from '../server/modules/catalog/gear/service.ts'
import { savePartNumbers } from '../server/modules/catalog/part-numbers/service.ts'
import { replacePictures } from '../server/modules/catalog/pictures/service.ts'
import * as catalog from '../server/modules/catalog/service.ts'
import * as customers from '../server/modules/customers/service.ts'
import * as fitment from '../server/modules/fitment/service.ts'
import * as orders from '../server/modules/orders/service.ts'
import { drawingUrl } from '../server/modules/pictures/drawings.ts'
import * as pricing from '../server/modules/pricing/service.ts'
import * as reviews from '../server/modules/reviews/service.ts'
import { newId } from '../server/platform/database/database.ts'
import { attributeValues, kindAttributes } from './attributes.ts'
import { bikeAliases, bikes, inventedBike, listYears } from './bikes.ts'
import { manufacturers, sizeCharts } from './brands.ts'
import * as charges from './charges.ts'
import { findDemoFitments, fitKinds, partNumbers, replacements } from './fitments.ts'
import { type Drawing, kinds } from './kinds.ts'
import { ownGtin, partNumber } from './numbers.ts'
import { type Gear, products } from './products.ts'
import { reviews as demoReviews } from './reviews.ts'

export const demoAccounts = {
  admin: { email: 'admin@example.com', name: 'Workshop Admin' },
  rider: { email: 'rider@example.com', name: 'Robin Rider' },
} as const

/** The rider's orders. `lines` are indexes in the list of products. */
const demoOrders: { lines: number[]; daysAgo: number; status: OrderStatus }[] = [
  { lines: [12], daysAgo: 21, status: 'shipped' },
  { lines: [5], daysAgo: 9, status: 'shipped' },
  { lines: [20], daysAgo: 6, status: 'cancelled' },
  { lines: [14, 22, 3], daysAgo: 3, status: 'paid' },
  { lines: [0], daysAgo: 1, status: 'unpaid' },
]

const demoAddress = {
  name: demoAccounts.rider.name,
  phone: '+1 503 555 0147',
  line1: '14 Kickstand Lane',
  city: 'Portland',
  region: 'OR',
  postalCode: '97201',
  country: 'US',
}

/** Greater than the numbers of the generated catalog. */
const firstGtin = 90_000_000_000
/** GTINs are reserved for this many variants of each product. */
const maxVariants = 100

const day = 24 * 60 * 60 * 1000

interface SeedOptions {
  /** Creates or finds an account at the embedded identity provider. */
  createAccount(account: { email: string; name: string }): Promise<{ issuer: string; subject: string }>
}

/**
 * Fills an empty database with the demo shop, in one transaction.
 *
 * @returns false if there are products or customers already: then nothing changes
 */
export function seedDemoShop(db: Kysely<Database>, { createAccount }: SeedOptions): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Only one process seeds. Others wait here, and then find the shop filled.
    await sql`select pg_advisory_xact_lock(hashtext('seed'))`.execute(tx)
    if (!(await isEmpty(tx))) return false
    const productIds = await seedProducts(tx)
    await seedBikes(tx)
    await seedFitments(tx, productIds)
    await seedPictures(tx, productIds)
    await seedGear(tx, productIds)
    await seedReviews(tx)
    await openDemoAccount(tx, demoAccounts.admin)
    await customers.makeAdmin(tx, demoAccounts.admin.email, null)
    const riderId = await openDemoAccount(tx, demoAccounts.rider)
    await addresses.addAddress(tx, riderId, { ...demoAddress, label: 'Home' })
    await seedOrders(tx, riderId, productIds)
    await seedCharges(tx)
    return true
  })

  async function openDemoAccount(
    tx: Kysely<Database>,
    account: { email: string; name: string },
  ): Promise<string> {
    const { issuer, subject } = await createAccount(account)
    const identity = { issuer, subject, ...account, emailVerified: true, picture: null }
    return (await customers.linkIdentity(tx, identity, account.name)).id
  }
}

async function isEmpty(db: Kysely<Database>): Promise<boolean> {
  const found = await sql<{ filled: boolean }>`
    select exists (select from products) or exists (select from customers) as filled`.execute(db)
  return found.rows[0]?.filled === false
}

async function seedProducts(db: Kysely<Database>): Promise<string[]> {
  for (const [kind, attributes = []] of Object.entries(kindAttributes)) {
    await saveAttributes(db, kind, { attributes }, null)
  }
  const ids: string[] = []
  const now = Date.now()
  for (const [index, product] of products.entries()) {
    const { drawing, tint, brand, name, category, minimum, price, supplier, description } = product
    const added = {
      name: `${brand} ${name}`,
      image: drawingUrl(drawing, tint),
      brand,
      kind: kinds[drawing],
      category,
      minimum,
      price,
      supplier,
      description,
      fitKind: fitKinds[kinds[drawing]],
      fitComplete: findDemoFitments(name)?.complete,
      attributes: attributeValues[name],
      // One millisecond apart, so that the catalog has the order of the list.
      createdAt: new Date(now - products.length + index),
    }
    const sku = partNumber(brand, index + 1, 'D')
    const gtin = firstGtin + index * maxVariants
    const stock =
      'gear' in product
        ? { quantity: 0, variants: toVariants(product, sku, gtin) }
        : { quantity: product.stock, sku, gtin: ownGtin(gtin), options: 'none' as const }
    ids.push(await catalog.addProduct(db, { ...added, ...stock }, null))
  }
  return ids
}

/** A picture of each colour, and of details. */
async function seedPictures(db: Kysely<Database>, productIds: string[]): Promise<void> {
  for (const [index, product] of products.entries()) {
    if (!('gear' in product && product.details)) continue
    const { brand, name, drawing, tint, gear, details } = product
    const pictures = [
      ...gear.map(({ colour = '', tint: own = tint }) => ({
        image: drawingUrl(drawing, own),
        alt: `${brand} ${name} in ${colour.toLowerCase()}`,
        colour,
      })),
      ...details.map((detail) => ({ image: drawingUrl(detail.drawing, detail.tint), alt: detail.alt })),
    ]
    const demo = { id: productIds[index] ?? '', image: drawingUrl(drawing, tint) }
    await replacePictures(db, demo, pictures, null)
  }
}

/** Certificates, and the manufacturers and size charts of the brands. */
async function seedGear(db: Kysely<Database>, productIds: string[]): Promise<void> {
  for (const [index, product] of products.entries()) {
    if ('gear' in product) {
      await gear.replaceCertificates(db, productIds[index] ?? '', product.certificates, null)
    }
  }
  for (const [brand, manufacturer] of manufacturers) await gear.saveBrand(db, brand, manufacturer, null)
  for (const rate of charges.shippingRates) await pricing.saveShippingRate(db, newId(), rate, null)
  await pricing.saveCoupon(db, newId(), charges.coupon, null)
  for (const chart of sizeCharts) await gear.saveSizeChart(db, newId(), chart, null)
}

/** The sizes of gear in each of its colours. The first colour has the picture of the product. */
const toVariants = ({ drawing, gear }: { drawing: Drawing; gear: Gear[] }, sku: string, gtin: number) =>
  gear.flatMap(({ colour, tint, price, stock }, row) =>
    sizes.map((size, column) => ({
      size,
      colour,
      swatch: tint && `#${tint.toLowerCase()}`,
      image: row > 0 && tint ? drawingUrl(drawing, tint) : undefined,
      price,
      sku: [sku, size, colour?.split(' ')[0]?.toUpperCase()].filter(Boolean).join('-'),
      gtin: ownGtin(gtin + row * sizes.length + column),
      quantity: stock[column] ?? 0,
    })),
  )

async function seedBikes(db: Kysely<Database>): Promise<void> {
  const { versions, ...invented } = inventedBike
  await addBikes(db, [
    ...bikes.flatMap((bike) =>
      listYears(bike).map(({ year, source }) => ({ make: bike.make, model: bike.model, year, source })),
    ),
    ...versions.map((version) => ({ ...invented, version, source: 'demo' })),
  ])
  const aliases = bikeAliases.flatMap(({ make, model, aliases }) =>
    aliases.map((alias) => ({ make, model, alias })),
  )
  await addBikeAliases(db, aliases)
}

async function seedFitments(db: Kysely<Database>, productIds: string[]): Promise<void> {
  const toId = (name: string) => productIds[products.findIndex((product) => product.name === name)] ?? ''
  for (const { name } of products) {
    const saved = findDemoFitments(name)
    if (saved) await fitment.saveFitments(db, toId(name), { fitKind: 'vehicle', ...saved }, null)
  }
  for (const name of new Set([...Object.keys(partNumbers), ...Object.keys(replacements)])) {
    const newer = replacements[name]
    const saved = { numbers: partNumbers[name] ?? [], replacedBy: newer && toId(newer) }
    await savePartNumbers(db, toId(name), saved, null)
  }
}

async function seedReviews(db: Kysely<Database>): Promise<void> {
  for (const [index, { name, ...review }] of demoReviews.entries()) {
    const reviewer = { id: null, name, photo: '', email: '' }
    await reviews.addReview(db, reviewer, review, new Date(Date.now() - (index + 1) * day))
  }
}

async function seedOrders(db: Kysely<Database>, customerId: string, productIds: string[]): Promise<void> {
  for (const { lines, daysAgo, status } of demoOrders) {
    const products = await Promise.all(lines.map((index) => requireDemoProduct(db, productIds[index])))
    await orders.addDemoOrder(db, {
      customer: { customerId, ip: null },
      address: demoAddress,
      note: lines.length > 1 ? 'The bell is broken. Please knock at the workshop door.' : '',
      lines: products.map((each) => ({
        productId: each.id,
        quantity: each.minimum_quantity,
        unitPriceCents: each.price_cents,
      })),
      status,
      placedAt: new Date(Date.now() - daysAgo * day),
    })
  }
}

/** The payments of the orders at the sandbox, so that it can refund them. Another provider does not know them. */
async function seedCharges(db: Kysely<Database>): Promise<void> {
  await sql`
    with method as (
      insert into sandbox.payment_methods (id, behaviour, brand, last4, exp_month, exp_year)
      values ('pm_demo', 'succeeds', 'visa', '4242', 12, 2040)
    ), intents as (
      insert into sandbox.payment_intents
        (id, client_secret, amount_cents, currency, status, metadata, payment_method_id, created_at)
      select transaction_id, transaction_id || '_secret_demo', amount_cents, 'usd', 'succeeded',
        jsonb_build_object('orderId', id), 'pm_demo', paid_at
      from orders where transaction_id is not null
    )
    insert into sandbox.charges
      (id, payment_intent_id, payment_method_id, amount_cents, currency, status, created_at)
    select 'ch_demo_' || id, transaction_id, 'pm_demo', amount_cents, 'usd', 'succeeded', paid_at
    from orders where transaction_id is not null`.execute(db)
}

async function requireDemoProduct(db: Kysely<Database>, id = '') {
  const product = await catalog.findProduct(db, id)
  if (!product) throw new Error('The demo product is missing')
  return product
}
