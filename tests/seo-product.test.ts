import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { productPath } from '../contract/product.ts'
import * as gear from '../server/modules/catalog/gear/service.ts'
import { replacePictures } from '../server/modules/catalog/pictures/service.ts'
import { aCustomer, anAdmin, anOrder, aProduct, aSizeChart, someJacket } from './factories.ts'
import { load as loadAt, readCanonical, readMeta, readRobots, toTitle, visible } from './page-head.ts'
import { findJsonLdErrors, readJsonLd } from './schema-org.ts'
import { openOwnShop, type TestShop } from './shop.ts'
import { openShopProcesses, type ShopProcess } from './shop-process.ts'
import { listFaults, textsIn } from './xml.ts'

/** Every process shows a change within this time. */
const withinCacheAge = { timeout: 60_000, interval: 20 }
const publicUrl = 'https://parts.shop.test'
const processes = openShopProcesses()
let shop: TestShop
/** Two processes of one shop, as behind a load balancer. */
let one: ShopProcess
let other: ShopProcess

beforeAll(async () => {
  shop = await openOwnShop()
  const settings = {
    DATABASE_URL: shop.database.url,
    DEMO: '0',
    CACHE_SECONDS: '0',
    PUBLIC_URL: publicUrl,
  }
  ;[one, other] = await Promise.all([
    processes.open(settings),
    processes.open({ ...settings, DATA_DIR: `${processes.dataDir}-2` }),
  ])
})
afterAll(async () => {
  await processes.remove()
  await shop.close()
})
beforeEach(() => shop.database.empty())

const load = (path: string, at = one) => loadAt(path, at)

describe('a product', () => {
  const details = {
    name: 'Größe "M" & <L>',
    brand: 'Grauwerk',
    kind: 'Brake pads',
    sku: 'GW-4711/A',
    gtin: '4006381333931',
    image: '/pictures/brake-pads/d9482b.svg',
    quantity: 1,
  }
  const toPath = (_id: string) => productPath({ _id, name: details.name })

  test('has name, price and availability in its page and its JSON-LD', async () => {
    const id = await aProduct(shop, details)
    const { status, text } = await load(toPath(id))
    expect(status).toBe(200)
    expect(readCanonical(text)).toEqual([publicUrl + toPath(id)])
    expect(toTitle(text)).toEqual(['Größe &quot;M&quot; &amp; &lt;L&gt; · Torque Yard'])
    expect(readMeta(text, 'description')).toEqual([
      'Größe &quot;M&quot; &amp; &lt;L&gt;, GW-4711/A: For the front.',
    ])
    const [product, trail] = readJsonLd(text)
    expect([product, trail].flatMap(findJsonLdErrors)).toEqual([])
    expect(product).toMatchObject({
      '@type': 'Product',
      name: details.name,
      brand: { name: 'Grauwerk' },
      sku: 'GW-4711/A',
      gtin: '4006381333931',
      url: publicUrl + toPath(id),
      offers: { price: '40.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    })
    expect(trail).toMatchObject({
      itemListElement: [
        { item: `${publicUrl}/` },
        { item: `${publicUrl}/products` },
        { item: `${publicUrl}/products?kind=Brake+pads` },
        { item: publicUrl + toPath(id), name: details.name },
      ],
    })
  })

  test('with a minimum order of four shows the price of four on the page, in JSON-LD, in Open Graph and in the feed', async () => {
    const id = await aProduct(shop, { ...details, price: 1250.1, minimum: 4, quantity: 9 })
    const { text } = await load(toPath(id))
    expect(visible(text)).toContain('$1,250.10 each $5,000.40 for 4 (minimum order)')
    const offers = {
      price: '5000.40',
      priceSpecification: { price: '5000.40', referenceQuantity: { value: 4, valueReference: { value: 1 } } },
      eligibleQuantity: { minValue: 4 },
    }
    const [product] = readJsonLd(text)
    expect(product).toMatchObject({ offers })
    expect(findJsonLdErrors(product)).toEqual([])
    expect(readMeta(text, 'product:price:amount')).toEqual(['5000.40'])
    expect((await load('/feeds/products.xml')).text).toContain('<g:price>5000.40 USD</g:price>')
  })

  test('has its picture as share image, as a PNG if it is a drawing', async () => {
    const id = await aProduct(shop, details)
    const { text } = await load(toPath(id))
    const [product] = readJsonLd(text) as [{ image: string }]
    const url = `${publicUrl}/pictures/brake-pads/d9482b.png`
    expect({ openGraph: readMeta(text, 'og:image'), jsonLd: product.image }).toEqual({
      openGraph: [url],
      jsonLd: url,
    })
    expect(readMeta(text, 'og:image:width')).toEqual(['1200'])
    expect(readMeta(text, 'product:price:amount')).toEqual(['40.00'])
    expect(readMeta(text, 'og:title')).toEqual(['Größe &quot;M&quot; &amp; &lt;L&gt;'])
  })

  test('is out of stock within a second after its last piece is bought, in list, page, JSON-LD and feed of every process', async () => {
    const id = await aProduct(shop, details)
    const expectAvailability = async (at: ShopProcess, word: 'InStock' | 'OutOfStock') => {
      const { text } = await load(toPath(id), at)
      const list = await load('/products', at)
      for (const page of [text, list.text]) {
        expect(visible(page).includes('Out of stock')).toBe(word === 'OutOfStock')
      }
      expect(readJsonLd(text)[0]).toMatchObject({ offers: { availability: `https://schema.org/${word}` } })
      const feed = await load('/feeds/products.xml', at)
      expect(feed.text).toContain(word === 'InStock' ? '>in_stock<' : '>out_of_stock<')
    }
    for (const at of [one, other]) await expectAvailability(at, 'InStock')
    await anOrder(shop, await aCustomer(shop), { productId: id })
    await vi.waitFor(async () => {
      for (const at of [one, other]) await expectAvailability(at, 'OutOfStock')
    }, withinCacheAge)
  })

  test('has one URL: with another name, or without a name, it redirects there', async () => {
    const id = await aProduct(shop, details)
    for (const path of [`/product/${id}`, `/product/${id}/an-older-name`]) {
      const response = await fetch(one.origin + path, { redirect: 'manual' })
      expect(response.status).toBe(301)
      expect(response.headers.get('location')).toBe(toPath(id))
    }
    expect((await fetch(one.origin + toPath(id), { redirect: 'manual' })).status).toBe(200)
  })

  test('redirects while it is deleted if there is a redirect, and is shown again if it is restored', async () => {
    const id = await aProduct(shop, details)
    const setDeleted = (deleted_at: Date | null) =>
      shop.db.updateTable('products').set({ deleted_at }).where('id', '=', id).execute()
    await setDeleted(new Date())
    const admin = await anAdmin(shop)
    const follow = (search = '') => fetch(one.origin + toPath(id) + search, { redirect: 'manual' })
    for (const [target, search, location] of [
      ['/products?kind=Chains', '', '/products?kind=Chains'],
      ['/products?kind=Chains#list', '?bike=5', '/products?kind=Chains&bike=5#list'],
      ['/reviews#chains', '?bike=5', '/reviews?bike=5#chains'],
    ] as const) {
      const body = { path: toPath(id), target }
      expect((await shop.call('saveRedirect', { as: admin, body })).status).toBe(200)
      const { status, headers } = await follow(search)
      expect([status, headers.get('location')]).toEqual([301, location])
    }
    await setDeleted(null)
    expect((await follow()).status).toBe(200)
  })

  test('is 410 if it is deleted and 404 if it is unknown, with an error page and noindex', async () => {
    const id = await aProduct(shop, details)
    await shop.db.updateTable('products').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    for (const [path, status] of [
      [toPath(id), 410],
      [toPath('none'), 404],
    ] as const) {
      const page = await load(path)
      expect(page.status).toBe(status)
      expect(readRobots(page.text)).toEqual(['noindex'])
      expect(readJsonLd(page.text)).toEqual([])
      expect(page.text).toContain('href="/products"')
    }
  })
})

describe('the page of gear, without scripts', () => {
  const jacket = { ...someJacket, name: 'Touring jacket' }
  const readPage = async () =>
    (await load(productPath({ _id: await aProduct(shop, jacket), ...jacket }))).text

  test('has the maker, the responsible person and the size chart in both units, as plain text', async () => {
    await aSizeChart(shop, 'c1', {
      brand: 'Ravenmoor',
      kind: 'Jackets',
      columns: ['Chest', '<b>Waist</b>'],
      rows: [{ size: 'M', values: [[94, 99], null] }],
      source: 'Ravenmoor, 2026',
    })
    await gear.saveBrand(
      shop.db,
      'Ravenmoor',
      {
        name: 'Ravenmoor Ltd.',
        address: '1 Bog Road\nGalway',
        contact: 'help@ravenmoor.test',
        eu: { name: 'Import B.V.' },
        safetyText: '<script>alert(1)</script>',
      },
      null,
    )
    const html = await readPage()
    expect(html).not.toContain('<script>alert')
    const page = visible(html)
    expect(page).toContain('Size chart for Ravenmoor jackets')
    expect(page).toMatch(/Size Chest &lt;b&gt;Waist&lt;\/b&gt; M 94–99\s*37–39 –\s*– Source: Ravenmoor, 2026/)
    expect(page).toMatch(/Manufacturer Ravenmoor Ltd\.\s+1 Bog Road\s+Galway\s+help@ravenmoor\.test/)
    expect(page).toContain('EU responsible person Import B.V.')
  })

  test('has its certificates in a table and in JSON-LD', async () => {
    const id = await aProduct(shop, jacket)
    const certificates = [
      { standard: 'EN 17092', class: 'AA', number: 'CE </script> 1' },
      { standard: 'EN 1621-1', class: '2', zone: 'elbow', documentUrl: 'https://maker.test/elbow.pdf' },
    ]
    await gear.replaceCertificates(shop.db, id, certificates, null)
    const html = (await load(productPath({ _id: id, ...jacket }))).text
    expect(visible(html)).toMatch(
      /Safety certificates Standard Class Zone Number Document EN 1621-1 Level 2 Elbow – /,
    )
    expect(html).toContain('href="https://maker.test/elbow.pdf"')
    const [product] = readJsonLd(html)
    expect(findJsonLdErrors(product)).toEqual([])
    expect(product).toMatchObject({
      hasCertification: [
        { name: 'EN 1621-1, level 2, elbow', url: 'https://maker.test/elbow.pdf' },
        { name: 'EN 17092, class AA', certificationIdentification: 'CE </script> 1' },
      ],
    })
  })

  test('has none of them without data', async () => {
    const page = visible(await readPage())
    for (const text of ['Size chart', 'Safety certificates', 'Manufacturer']) expect(page).not.toContain(text)
  })
})

describe('the pictures of a product, without scripts', () => {
  const image = '/pictures/jacket/1d5fa8.svg'
  const red = { image: '/pictures/jacket/c8261b.svg', alt: 'The red one', colour: 'Red' }
  const armour = { image: '/pictures/protector.svg' }
  const jacket = { ...someJacket, image }
  /** Returns the part of the page with the pictures. */
  const toPictures = (html: string) => /<div class="w-full self-start">(.*?)<h1/s.exec(html)?.[1] ?? ''
  const readSources = (html: string) => [...html.matchAll(/<img [^>]*? src="([^"]*)"/g)].map(([, src]) => src)

  test('are the only one, with the name of the product or its own text', async () => {
    const id = await aProduct(shop, { image, name: 'Chain' })
    const path = productPath({ _id: id, name: 'Chain' })
    const html = toPictures((await load(path)).text)
    expect(html).toMatch(
      /^<div class="rounded-card border border-line bg-surface p-2 md:p-8"><picture class="contents"><img [^>]*\/><\/picture><\/div><\/div>/,
    )
    expect(html).toContain('alt="Chain"')
    await replacePictures(shop.db, { id, image }, [{ image, alt: 'The clip' }], null)
    expect(toPictures((await load(path)).text)).toBe(html.replace('alt="Chain"', 'alt="The clip"'))
  })

  test('are a gallery whose links lead to each picture and its file; the first is loaded first', async () => {
    const id = await aProduct(shop, jacket)
    const pictures = [{ image, colour: 'Blue' }, armour, red]
    await replacePictures(shop.db, { id, image }, pictures, null)
    const path = productPath({ _id: id, name: jacket.name })
    const { text } = await load(path)
    const html = toPictures(text)
    const order = [image, armour.image, red.image]
    expect(readSources(html)).toEqual([...order, ...order])
    expect([...html.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      ...order,
      '#picture-1',
      '#picture-2',
      '#picture-3',
    ])
    expect([...html.matchAll(/ id="([^"]*)"/g)].map(([, anchor]) => `#${anchor}`)).toEqual([
      '#picture-1',
      '#picture-2',
      '#picture-3',
    ])
    expect([...html.matchAll(/ alt="([^"]+)"/g)].map(([, alt]) => alt)).toEqual([
      'Touring jacket',
      'Touring jacket, picture 2',
      'The red one',
    ])
    expect(html.match(/fetchpriority="high"/gi)).toHaveLength(1)
    expect(html.match(/loading="lazy"/g)).toHaveLength(2)
    expect(html).not.toMatch(/ style=|tabindex/i)

    const [product] = readJsonLd(text) as [{ image: string[] }]
    expect(findJsonLdErrors(product)).toEqual([])
    const urls = ['jacket/1d5fa8', 'protector', 'jacket/c8261b'].map(
      (name) => `${publicUrl}/pictures/${name}.png`,
    )
    expect(product.image).toEqual(urls)
    expect(readMeta(text, 'og:image')).toEqual(urls.slice(0, 1))
    const { text: feed } = await load('/feeds/products.xml')
    expect(await listFaults(feed, 'product-feed.xsd')).toEqual([])
    // The blue variants do not have the picture of the red one, which has it as its first.
    expect(textsIn(feed, 'g:additional_image_link')).toEqual([urls[1], urls[1], urls[1], urls[1]])
  })

  test('begin with the pictures of the chosen colour', async () => {
    const id = await aProduct(shop, jacket)
    await replacePictures(shop.db, { id, image }, [{ image, colour: 'Blue' }, armour, red], null)
    const { text } = await load(`${productPath({ _id: id, name: jacket.name })}?colour=Red`)
    expect(readSources(toPictures(text)).slice(0, 3)).toEqual([red.image, armour.image, image])
  })
})

describe('the page of a product with sizes and colours, without scripts', () => {
  /** Returns the links and texts of the size and colour lists, and the attributes of Buy Now. */
  const readChoices = (text: string) => ({
    links: [...text.matchAll(/<a ([^>]*)href="(\?[^"]*)"[^>]*>(.*?)<\/a>/g)].map(
      ([, before = '', href = '', label = '']) =>
        `${href.replaceAll('&amp;', '&')} ${label.replaceAll(/<[^>]*>|<!-- -->/g, '')}${before.includes('aria-current="true"') ? ' (chosen)' : ''}`,
    ),
    buy: /<a([^>]*)>Buy Now<\/a>/.exec(text)?.[1] ?? '',
  })
  let id: string
  let path: string
  beforeEach(async () => {
    id = await aProduct(shop, someJacket)
    path = productPath({ _id: id, name: someJacket.name })
  })

  test('has a link for each of them, and none is chosen', async () => {
    const { text } = await load(path)
    const { links, buy } = readChoices(text)
    expect(links).toEqual([
      '?size=M M',
      '?size=L L (out of stock)',
      '?size=XL XL',
      '?colour=Blue Blue',
      '?colour=Red Red',
    ])
    expect(visible(text)).toContain('In stock 13 pcs')
    expect(buy).toContain(`href="/purchase/${id}"`)
    expect(buy).not.toContain('aria-disabled="true"')
  })

  test('shows price, stock and picture of the variant in the URL, and keeps its canonical URL', async () => {
    const dearer = await load(`${path}?size=XL&colour=Blue&utm_source=x`)
    expect(visible(dearer.text)).toContain('$219.50')
    expect(visible(dearer.text)).toContain('Only 3 left.')
    expect(readCanonical(dearer.text)).toEqual([publicUrl + path])
    const red = await load(`${path}?size=M&colour=Red`)
    expect(red.text).toMatch(/<img[^>]*src="\/pictures\/jacket\/c8261b\.svg"/)
  })

  test('with a size and a colour marks both, keeps them in its links, and passes them to Buy Now', async () => {
    const { text } = await load(`${path}?size=XL&colour=Blue`)
    const { links, buy } = readChoices(text)
    expect(links).toEqual([
      '?size=M&colour=Blue M',
      '?size=L&colour=Blue L (out of stock)',
      '?size=XL&colour=Blue XL (chosen)',
      '?size=XL&colour=Blue Blue (chosen)',
      '?size=XL&colour=Red Red (not available)',
    ])
    expect(buy).toContain(`href="/purchase/${id}?size=XL&amp;colour=Blue"`)
  })

  test.each([
    ['?size=L&colour=Blue', 'Out of stock in L, Blue.'],
    ['?size=XL&colour=Red', 'Not available in XL, Red.'],
  ])('with %s Buy Now is disabled and described by: %s', async (search, sentence) => {
    const { text } = await load(path + search)
    const { buy } = readChoices(text)
    expect(buy).toContain('aria-disabled="true"')
    expect(buy).not.toContain('href')
    const [, describedBy] = /aria-describedby="([^"]*)"/.exec(buy) ?? []
    expect(text).toMatch(new RegExp(`<p id="${describedBy}"[^>]*>${sentence}</p>`))
  })

  test('keeps the choice when a URL without the name redirects', async () => {
    const response = await fetch(`${one.origin}/product/${id}?size=L&colour=Blue&utm_source=x`, {
      redirect: 'manual',
    })
    expect(response.headers.get('location')).toBe(`${path}?size=L&colour=Blue`)
  })

  test('has valid JSON-LD of a group with each variant, and shares the lowest price', async () => {
    const { text } = await load(path)
    const blocks = readJsonLd(text)
    expect(blocks.flatMap(findJsonLdErrors)).toEqual([])
    const group = blocks.find((block) => (block as { '@type': string })['@type'] === 'ProductGroup')
    expect(group).toMatchObject({ productGroupID: id, hasVariant: { length: 4 } })
    expect(readMeta(text, 'product:price:amount')).toEqual(['200.00'])
    expect(readMeta(text, 'product:availability')).toEqual(['in stock'])
    expect(readMeta(text, 'og:url')).toEqual([publicUrl + path])
  })

  test('lists show the lowest price, if a variant costs more', async () => {
    expect(visible((await load('/products')).text)).toContain('From $200')
  })

  test('standard sizes and colours are links that nothing preselects; a product without options has none', async () => {
    const standard = await aProduct(shop, { name: 'Chain', options: 'standard' })
    const plain = await load(`/product/${standard}/chain`)
    expect(readChoices(plain.text).links).toHaveLength(8)
    expect(plain.text).not.toContain('aria-current="true"')
    expect(readChoices((await load(`/product/${standard}/chain?size=XL`)).text).buy).toContain(
      `href="/purchase/${standard}?size=XL"`,
    )
    const bare = await aProduct(shop, { name: 'Disc', options: 'none' })
    expect(readChoices((await load(`/product/${bare}/disc`)).text).links).toEqual([])
  })
})
