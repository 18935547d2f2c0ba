import { expect, test } from 'vitest'
import type { Product } from '../../contract/catalog.ts'
import { findJsonLdErrors, readJsonLd } from '../../tests/schema-org.ts'
import { breadcrumbs, itemList, organization, productJsonLd, webSite } from './json-ld.ts'
import { dataBlock, metaTag } from './markup.ts'

const origin = 'https://parts.shop.test'
const product: Product = {
  _id: 'f'.repeat(24),
  name: 'Brake pads',
  image: '/pictures/brake-pads/d9482b.svg',
  description: 'For the front.',
  category: 'Imported',
  minimum: 2,
  quantity: 10,
  price: 40,
  brand: 'Grauwerk',
  kind: 'Brake pads',
  sku: 'GW-4711/A',
  gtin: '4006381333931',
  options: 'standard',
}
const picture = `${origin}/pictures/products/x/0123456789ab-plain.png`
const bare: Product = { ...product, brand: undefined, kind: undefined, sku: undefined, gtin: undefined }

test.each([
  organization(origin, 'Torque Yard'),
  webSite(origin, 'Torque Yard'),
  breadcrumbs(origin, [
    { name: 'Home', path: '/' },
    { name: 'Products', path: '/products' },
  ]),
  itemList(origin, [product, bare], 24),
  productJsonLd(origin, product, picture),
  productJsonLd(origin, bare, picture),
])('has all required properties: %o', (statement) => {
  expect(readJsonLd(dataBlock(statement)).flatMap(findJsonLdErrors)).toEqual([])
})

test('a product has the price and quantity of its minimum order, its identifiers and its URL', () => {
  expect(productJsonLd(origin, product, picture)).toMatchObject({
    name: 'Brake pads',
    brand: { name: 'Grauwerk' },
    sku: 'GW-4711/A',
    mpn: 'GW-4711/A',
    gtin: '4006381333931',
    url: `${origin}/product/${product._id}/brake-pads`,
    image: picture,
    offers: {
      price: '80.00',
      priceCurrency: 'USD',
      priceSpecification: {
        price: '80.00',
        priceCurrency: 'USD',
        referenceQuantity: { value: 2, valueReference: { value: 1 } },
      },
      url: `${origin}/product/${product._id}/brake-pads`,
      eligibleQuantity: { minValue: 2 },
    },
  })
})

test.each([
  [10, 'InStock'],
  [2, 'InStock'],
  [1, 'OutOfStock'],
  [0, 'OutOfStock'],
])('with %d in stock and a minimum order of 2 it is %s', (quantity, availability) => {
  const { offers } = productJsonLd(origin, { ...product, quantity }, picture)
  expect(offers).toMatchObject({ availability: `https://schema.org/${availability}` })
})

test('a product without a minimum order has the price of one piece and no price specification', () => {
  const { offers } = productJsonLd(origin, { ...product, minimum: 1 }, picture)
  expect(offers).toMatchObject({ price: '40.00' })
  expect(offers).not.toHaveProperty('priceSpecification')
})

test('a product has no ratings, because reviews are about the shop', () => {
  expect(JSON.stringify(productJsonLd(origin, product, picture))).not.toMatch(/rating|review/i)
})

test('no text can end its data block, and all text is preserved', () => {
  const name = `</script><script>alert(1)</script><!-- \u2028\u2029 & "quoted" \\ 日本`
  const block = dataBlock(productJsonLd(origin, { ...product, name }, picture))
  expect(block.match(/<\/?script/g)).toEqual(['<script', '</script'])
  expect(block).not.toMatch(/<!--|[\u2028\u2029]/)
  expect(readJsonLd(block)).toEqual([expect.objectContaining({ name })])
})

test('no text can end the attribute of a meta element', () => {
  expect(metaTag('property', 'og:url', '"><script>&')).toBe(
    '<meta property="og:url" content="&quot;&gt;&lt;script&gt;&amp;">',
  )
})

test('the JSON-LD check finds missing, invalid, unordered and unknown properties', () => {
  const { offers: _, ...priceless } = productJsonLd(origin, product, picture)
  expect(findJsonLdErrors(priceless)).not.toEqual([])
  expect(findJsonLdErrors({ ...productJsonLd(origin, product, '/relative.png') })).not.toEqual([])
  expect(findJsonLdErrors({ ...productJsonLd(origin, product, picture), aggregateRating: {} })).not.toEqual(
    [],
  )
  expect(findJsonLdErrors({ '@type': 'Poem' })).not.toEqual([])
  const list = itemList(origin, [product, bare], 0)
  expect(
    findJsonLdErrors({ ...list, itemListElement: [list.itemListElement].flat().toReversed() }),
  ).not.toEqual([])
})
