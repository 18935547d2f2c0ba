import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ImportKind } from '../../contract/imports.ts'
import { aCustomer, anAdmin, aProduct, type TestCustomer } from '../factories.ts'
import { readSampleFile, withEarlierHeader } from '../other-shop-files.ts'
import { checkFile } from '../product-import.ts'
import { type Attacked, importUnderAttack } from './batches.ts'
import type { Check, Size } from './check.ts'
import { countDeadlocks } from './consistency.ts'
import { type Random, randomFor } from './random.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'

interface Volume {
  products: number
  buyers: number
}
const sizes: Record<Size, Volume> = {
  small: { products: 1_200, buyers: 8 },
  full: { products: 10_000, buyers: 50 },
}
const stock = 1_000_000
/** The pages of as many old addresses are opened. */
const openedPages = 20

interface Files {
  name: string
  kind: ImportKind
  /** The same products, with other names of columns if the shop has them. */
  first: string
  second: string
  /** Old addresses with the name of their product and the number of its variants. */
  products: Map<string, { name: string; variants: number }>
}

/**
 * Products of Shopify and of WooCommerce are imported while buyers order, and the importing process is killed. Every third
 * product has two sizes without part numbers.
 */
export const movingIn: Check = {
  name: 'moving in',
  isChosenOnly: true,
  async run(size, print, seed) {
    const { products, buyers } = sizes[size]
    const shop = await openShopUnderTest({ each: [{}, { ROLE: 'web' }, { ROLE: 'web' }] })
    const admin = await anAdmin(shop)
    for (let index = 0; index < 20; index += 1)
      await aProduct(shop, { name: `Own ${index}`, quantity: stock })
    const faults = new Set<string>()
    const violations: string[] = []
    const stop = new AbortController()
    let orders = 0
    const shopping = Array.from({ length: buyers }, async (_, index) => {
      orders += await buy(shop, await aCustomer(shop), randomFor(seed, index), faults, stop.signal)
    })
    const watching = watch(shop, faults, stop.signal)
    // The number of kills varies, so that the plan of the pages has random numbers of its own.
    const random = randomFor(seed, buyers + 1)
    let kills = 0
    const attack = async () => {
      for (const files of [shopifyFiles(products), wooCommerceFiles(products)]) {
        const attacked = await importUnderAttack(shop, admin, files.first, random, files.kind)
        kills += attacked.kills
        print(
          `${files.name}: ${attacked.done.state}, ${attacked.done.added} added, killed ${attacked.kills} times`,
        )
        violations.push(...(await findMissing(shop, files, attacked)))
        violations.push(...(await findSecondChanges(shop, admin, files)))
        violations.push(...(await findWrongPages(shop, files, randomFor(seed, buyers))))
      }
    }
    await attack().finally(() => stop.abort())
    await Promise.all([...shopping, watching])
    const deadlocks = await countDeadlocks(shop.db)
    violations.push(...faults)
    if (kills === 0) violations.push('the importing process was not killed in an import')
    if (orders === 0) violations.push('no order was accepted')
    if (deadlocks > 0) violations.push(`Postgres has broken ${deadlocks} deadlocks`)
    return {
      figures: [
        { what: 'products of each shop, buyers', measured: `${products}, ${buyers}` },
        { what: 'kills of the importing process', measured: `${kills}` },
        { what: 'orders placed meanwhile', measured: `${orders}` },
        { what: 'deadlocks', measured: `${deadlocks}`, bound: '0' },
      ],
      violations,
    }
  },
}

const hasSizes = (index: number) => index % 3 === 0

/** The products of the sample, with many more. */
function shopifyFiles(count: number): Files {
  const rows = Array.from({ length: count }, (_, index) => {
    const row = (handle: string, sku: string, option: string, value: string) =>
      `${handle},Pads,,TRUE,active,${sku},${option},${value},,,40,shopify,${stock},deny,https://cdn.shop.example/${index}.jpg,1,FALSE`
    const first = `Shopify ${index},shopify-${index},<p>Steel.</p>`
    if (!hasSizes(index)) return row(`${first},Corvane`, `S-${index}`, 'Title', 'Default Title')
    return `${row(`${first},Corvane`, '', 'Size', 'M')}\n${row(`,shopify-${index},,`, '', '', 'L')}`
  })
  const file = `${readSampleFile('shopify-products').trimEnd()}\n${rows.join('\n')}\n`
  const products = Array.from(
    { length: count },
    (_, index) =>
      [
        `/products/shopify-${index}`,
        { name: `Shopify ${index}`, variants: hasSizes(index) ? 2 : 1 },
      ] as const,
  )
  return {
    name: 'Shopify',
    kind: 'shopify-products',
    first: file,
    second: withEarlierHeader(file),
    products: new Map([
      ...products,
      ['/products/sintered-pads', { name: 'Sintered pads', variants: 1 }],
      ['/products/touring-jacket', { name: 'Touring jacket', variants: 2 }],
    ]),
  }
}

function wooCommerceFiles(count: number): Files {
  const row = (
    index: number,
    type: string,
    cells: { id: number; sku?: string; parent?: string; size?: string },
  ) =>
    `${cells.id},${type},${cells.sku ?? ''},Woo ${index},1,0,visible,Steel.,,,1,${stock},,,"40,00",Pads,,https://shop.example/${index}.jpg,${cells.parent ?? ''},Corvane,${cells.size ? 'Size' : ''},${cells.size ?? ''},,,`
  const rows = Array.from({ length: count }, (_, index) => {
    const id = 1000 + index * 3
    if (!hasSizes(index)) return [row(index, 'simple', { id, sku: `W-${index}` })]
    const parent = `id:${id}`
    return [
      row(index, 'variable', { id }),
      row(index, 'variation', { id: id + 1, parent, size: 'M' }),
      row(index, 'variation', { id: id + 2, parent, size: 'L' }),
    ]
  })
  // The rows of a product are not adjacent: the second size of each product is at the end.
  const lines = [...rows.flatMap((own) => own.slice(0, 2)), ...rows.flatMap((own) => own.slice(2))]
  const file = `${readSampleFile('woocommerce-products').trimEnd()}\n${lines.join('\n')}\n`
  const products = Array.from(
    { length: count },
    (_, index) =>
      [`/product/woo-${index}`, { name: `Woo ${index}`, variants: hasSizes(index) ? 2 : 1 }] as const,
  )
  return {
    name: 'WooCommerce',
    kind: 'woocommerce-products',
    first: file,
    second: file,
    products: new Map(products),
  }
}

/** Each product is complete, and its old address leads to it. */
async function findMissing({ db }: ShopUnderTest, { name, products }: Files, { done }: Attacked) {
  if (done.state !== 'done') return [`the import of ${name} ended as ${done.state}: ${done.failure}`]
  const { rows } = await sql<{ path: string; name: string; variants: number }>`
    select path, name, count(*) as variants
    from redirects join products on products.id = redirects.product_id
      join variants on variants.product_id = products.id and removed_at is null
    where path = any(${[...products.keys()]}::text[]) and deleted_at is null group by path, name`.execute(db)
  const stored = new Map(rows.map((row) => [row.path, row]))
  const wrong = [...products].filter(([path, product]) => {
    const found = stored.get(path)
    return found?.name !== product.name || found.variants !== product.variants
  })
  return [
    ...(wrong.length > 0 ? [`${name}: ${wrong.length} products are missing or lack their old address`] : []),
    ...(done.skippedCount > 0 ? [`${name}: ${done.skippedCount} products were left out`] : []),
  ]
}

async function findSecondChanges(
  { processes: [importer] }: ShopUnderTest,
  admin: TestCustomer,
  files: Files,
) {
  const { added, changed, otherShop } = await checkFile(importer, admin, files.second, files.kind)
  if (added === 0 && changed === 0 && otherShop?.oldAddresses === 0) return []
  return [
    `${files.name}: the second import would add ${added}, change ${changed} and redirect ${otherShop?.oldAddresses}`,
  ]
}

/** Opens old addresses: each leads to its product with one redirect. */
async function findWrongPages(shop: ShopUnderTest, { name, products }: Files, random: Random) {
  const wrong = new Set<string>()
  const paths = [...products.keys()]
  for (let index = 0; index < openedPages; index += 1) {
    const { origin } = random.pick(shop.processes)
    const path = random.pick(paths)
    const redirect = await fetch(`${origin}${path}?utm=x`, { redirect: 'manual' })
    const page = await fetch(new URL(redirect.headers.get('location') ?? '/', origin), { redirect: 'manual' })
    const text = await page.text()
    if (redirect.status !== 301 || page.status !== 200 || !text.includes(products.get(path)?.name ?? '–')) {
      wrong.add(`${name}: an old address responds ${redirect.status}, and its target ${page.status}`)
    }
  }
  return wrong
}

/** Looks for products of the import without their old address, which are added in the same transaction. */
async function watch({ db }: ShopUnderTest, faults: Set<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await sql<{ id: string }>`
      select id from products
      where name ~ '^(Shopify|Woo) ' and not exists (select from redirects where redirects.product_id = products.id)
      limit 1`.execute(db)
    if (rows.length > 0) faults.add('a product was seen without its old address')
    await delay(20)
  }
}

/** Orders random variants of the shop and of earlier batches until the signal aborts. Returns the number of accepted orders. */
async function buy(
  { db, processes }: ShopUnderTest,
  buyer: TestCustomer,
  random: Random,
  faults: Set<string>,
  signal: AbortSignal,
): Promise<number> {
  let accepted = 0
  while (!signal.aborted) {
    const { rows } = await sql<{ variantId: string; productId: string; cents: number }>`
      select variants.id as "variantId", product_id as "productId",
        coalesce(variants.price_cents, products.price_cents) as cents
      from variants join products on products.id = product_id
      where variants.stock > 100 and removed_at is null order by random() limit 20`.execute(db)
    for (const { variantId, productId, cents } of rows) {
      if (signal.aborted) break
      const { status, body } = await random.pick(processes.slice(1)).call('confirmPurchase', {
        as: buyer,
        body: { productId, variantId, quantity: 1, amount: cents / 100, customerAddress: '1 Road' },
      })
      const code = 'code' in body ? String(body.code) : ''
      if (status === 200) accepted += 1
      else if (code !== 'UNAVAILABLE') faults.add(`an order was rejected: ${status} ${code}`)
    }
  }
  return accepted
}
