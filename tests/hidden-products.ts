import { randomUUID } from 'node:crypto'
import { replaceCertificates } from '../server/modules/catalog/gear/service.ts'
import { savePartNumbers } from '../server/modules/catalog/part-numbers/service.ts'
import { saveFitments } from '../server/modules/fitment/service.ts'
import type { Caller } from './call.ts'
import { aBike, aCheckout, aCustomer, anAdmin, aProduct, type TestCustomer } from './factories.ts'
import { inLanes } from './hardening/parallel.ts'
import { load } from './page-head.ts'
import type { TestShop } from './shop.ts'

type Shop = Pick<TestShop, 'db' | 'accessTokens'> & Pick<Caller, 'call'>

/** A word in every text of a hidden product. No public response has it. */
const secret = 'concealed'

/** A product for sale and a hidden one, which are alike. */
interface Pair {
  sold: string
  hidden: string
  sku: string
}

interface Catalog {
  pairs: Pair[]
  /** A bike that all products fit. */
  bike: number
  /** A product that is replaced by a hidden one, and which replaces another hidden one. */
  replaced: string
  buyer: TestCustomer
  admin: TestCustomer
}

/** Fills an empty shop with pairs of products, and hides one of each by the call. */
export async function hideProducts(shop: Shop, count: number): Promise<Catalog> {
  const admin = await anAdmin(shop)
  const buyer = await aCustomer(shop)
  const bike = await aBike(shop)
  await aBike(shop, { year: 2020 })
  await aBike(shop, { version: 'ABS' })
  const fit = (id: string, yearTo: number, version?: string) =>
    saveFitments(
      shop.db,
      id,
      {
        fitKind: 'vehicle',
        complete: false,
        fitments: [
          { make: 'hayashi', model: 'k6', yearFrom: 2012, yearTo, version, position: 'front', pieces: 1 },
        ],
      },
      null,
    )
  const add = async (index: number, word: string) => {
    const id = await aProduct(shop, {
      name: `Sintered pads ${word} ${index}`,
      description: `Front, ${word}.`,
      brand: word === secret ? `Brand ${secret}` : 'Grauwerk',
      kind: word === secret && index % 2 === 0 ? `Kind ${secret}` : 'Brake pads',
      // The cheapest product shows its kind on the home page.
      price: word === secret && index % 2 === 1 ? 30 : 40,
      image: `/pictures/${word}.svg`,
      sku: word === secret ? `ZX-${index}` : `GW-${index}`,
    })
    // Only hidden products fit the year 2020, or one version.
    if (word === secret && index === 2) await fit(id, 2012, 'ABS')
    else await fit(id, word === secret ? 2020 : 2012)
    await replaceCertificates(shop.db, id, [{ standard: 'ECE 22.06' }], null)
    return id
  }
  const pairs: Pair[] = []
  for (let index = 0; index < count; index += 1) {
    pairs.push({ sold: await add(index, 'visible'), hidden: await add(index, secret), sku: `ZX-${index}` })
  }
  const replaced = await aProduct(shop, { name: 'Earlier pads', kind: 'Brake pads' })
  const [first, second = first] = pairs
  const replace = (id: string, by: string, number: string) =>
    savePartNumbers(
      shop.db,
      id,
      { numbers: [{ kind: 'oem', maker: 'Hayashi', number }], replacedBy: by },
      null,
    )
  if (first && second) {
    await replace(replaced, first.hidden, 'OEM-1')
    await replace(second.hidden, replaced, 'OEM-2')
    await replace(first.hidden, '', 'Hayashi K6')
  }
  await inLanes(pairs, 8, async ({ hidden: id }) => {
    const { status } = await shop.call('hideProduct', { as: admin, params: { id }, body: { hidden: true } })
    if (status !== 200) throw new Error(`a product was not hidden: status ${status}`)
  })
  const productIds = pairs.flatMap(({ hidden, sold }) => [hidden, sold]).slice(0, 8)
  const headers = { 'if-match': '"0"' }
  const chosen = await shop.call('saveHomeSettings', { as: admin, headers, body: { productIds } })
  if (chosen.status !== 200) throw new Error(`the home page was not saved: status ${chosen.status}`)
  return { pairs, bike, replaced, buyer, admin }
}

/** Whether a count is right. With hidden products an estimate would be twice as high. */
const isCount = (count: number, expected: number, isEstimated: boolean) =>
  isEstimated ? Math.abs(count - expected) <= expected / 5 : count === expected

/** Reads and buys as the public. Returns a sentence for each response that depends on a hidden product. */
export async function findLeaks(
  shop: Shop,
  site: Parameters<typeof load>[1],
  { pairs, bike, replaced, buyer }: Catalog,
): Promise<string[]> {
  const leaks: string[] = []
  const check = (what: string, isRight: boolean) => {
    if (!isRight) leaks.push(what)
  }
  const count = pairs.length
  const [{ sold, hidden, sku } = { sold: '', hidden: '', sku: '' }] = pairs

  // Lists: each has all products for sale.
  const lists = [
    { expected: count + 1 },
    { q: 'pads', expected: count + 1 },
    { q: sku, expected: 0 },
    { q: 'OEM-2', expected: 0 },
    { kind: ['Brake pads'], expected: count + 1 },
    { brand: ['Grauwerk'], sort: 'name', expected: count },
    { sort: '-price', expected: count + 1 },
    { sort: '-name', price: ['25-50'], expected: count + 1 },
    { kind: ['Brake pads'], sort: 'price', expected: count + 1 },
    { certificate: ['ECE 22.06'], expected: count },
    { bike, expected: count },
    { bike, fit: ['unconfirmed'], expected: 1 },
  ] as const
  for (const { expected, ...query } of lists) {
    const what = JSON.stringify(query)
    const { body, headers } = await shop.call('listProducts', {
      query: { ...query, pageSize: 1000 } as never,
    })
    check(`the list ${what} has ${body.length} products`, body.length === expected)
    check(`the list ${what} has a hidden one`, !JSON.stringify(body).includes(secret))
    const total = Number(headers.get('x-total-count'))
    const isEstimated = headers.get('x-total-estimated') === 'true'
    check(`the total of ${what} is ${total}`, isCount(total, expected, isEstimated))
    const facets = await shop.call('countProducts', { query: query as never })
    const { total: counted, estimated } = facets.body
    check(`the facets of ${what} count ${counted}`, isCount(counted, expected, estimated))
    check(`the facets of ${what} have a hidden value`, !JSON.stringify(facets.body).includes(secret))
  }

  // A short page of many products is read in the order of an index.
  for (const sort of ['price', 'name', 'created']) {
    const query = { kind: ['Brake pads'], sort, pageSize: 20 }
    const { body } = await shop.call('listProducts', { query })
    check(`a page by ${sort} has ${body.length} products`, body.length === Math.min(20, count + 1))
    check(`a page by ${sort} has a hidden one`, !JSON.stringify(body).includes(secret))
  }

  // Single products.
  for (const q of ['pads', 'conceal', 'kind', 'brand', sku]) {
    const { body } = await shop.call('suggest', { query: { q } })
    check(`suggestions for ${q}`, !JSON.stringify(body).includes(secret))
  }
  const one = await shop.call('getProduct', { params: { id: hidden } })
  check(`GET /product/{id} is ${one.status}`, one.status === 404 && one.body.code === 'PRODUCT_NOT_FOUND')
  const fit = await shop.call('getFit', { query: { product: hidden, bike } })
  check(`GET /v1/fitment is ${fit.status}`, fit.status === 404)
  const fits = await shop.call('listFits', { query: { product: [sold, hidden], bike } })
  check('GET /v1/fits lacks a product', JSON.stringify(fits.body).includes(sold))
  check('GET /v1/fits has a hidden product', !JSON.stringify(fits.body).includes(hidden))

  // Carts and orders.
  const lines = [sold, hidden].map((variantId) => ({ variantId, quantity: 1 }))
  const quote = await shop.call('quoteCart', { body: { lines } })
  const problems = quote.body.lines?.map((line: { problem?: { code: string } }) => line.problem?.code)
  check(
    `the quote has the problems ${JSON.stringify(problems)}`,
    problems?.[0] === undefined && problems?.[1] === 'VARIANT_NOT_FOUND',
  )
  const cart = await shop.call('setCartLine', {
    as: buyer,
    params: { variantId: hidden },
    body: { quantity: 1 },
  })
  check(
    `adding a hidden product to a cart is ${cart.status}`,
    cart.status === 404 && cart.body.code === 'VARIANT_NOT_FOUND',
  )
  const placed = await shop.call('checkOut', {
    headers: { 'idempotency-key': randomUUID() },
    body: aCheckout([{ variantId: hidden, quantity: 1, unitPrice: 40 }], {
      email: 'guest@example.com',
      asGuest: true,
    }),
  })
  check(
    `an order of a guest is ${placed.status}`,
    placed.status === 409 && placed.body.code === 'CART_CHANGED',
  )
  const purchase = { productId: hidden, quantity: 1, amount: 40, customerAddress: '1 Road' }
  const bought = await shop.call('confirmPurchase', { as: buyer, body: purchase })
  check(`a purchase is ${bought.status}`, bought.status === 404)

  // Pages, and files for search engines.
  const pages: [path: string, status: number, expected: string][] = [
    ['/', 200, 'visible'],
    ['/products', 200, 'visible'],
    ['/products?q=pads', 200, 'visible'],
    [`/products?q=${sku}`, 200, ''],
    [`/products?bike=${bike}`, 200, 'visible'],
    ['/products?q=hayashi+k6', 200, 'visible'],
    ['/bikes/hayashi/k6/2012', 200, 'visible'],
    ['/bikes/hayashi/k6/2020', 200, 'No parts are confirmed'],
    [`/product/${sold}/sintered-pads-visible-0`, 200, 'visible'],
    [`/product/${replaced}/earlier-pads`, 200, 'Earlier pads'],
    [`/product/${hidden}/x`, 404, 'not available at the moment'],
    [`/product/${hidden}/x/fitment`, 404, ''],
    ['/sitemap.xml', 200, 'products-1.xml'],
    ['/sitemaps/products-1.xml', 200, sold],
    ['/sitemaps/bikes-1.xml', 200, 'k6/2012'],
    ['/feeds/products.xml', 200, 'visible'],
  ]
  for (const [path, status, expected] of pages) {
    const page = await load(path, site)
    check(`${path} is ${page.status}`, page.status === status)
    check(`${path} lacks “${expected}”`, page.text.includes(expected))
    check(`${path} names a hidden product`, !page.text.replaceAll(path, '').includes(secret))
    const namesIt = path.includes(hidden) || !page.text.includes(hidden)
    check(`${path} links to a hidden product`, namesIt)
  }
  const year = await load('/bikes/hayashi/k6/2012', site)
  check('a hidden product fits some versions', !year.text.includes('Fits some versions'))
  const bikes = await load('/sitemaps/bikes-1.xml', site)
  check('a sitemap lists a bike that only hidden products fit', !bikes.text.includes('k6/2020'))
  return leaks
}
