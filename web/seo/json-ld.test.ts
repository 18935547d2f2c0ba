import { expect, test } from 'vitest'
import type { Product } from '../../contract/catalog.ts'
import type { PublicDocument } from '../../contract/documents.ts'
import { publishSettings } from '../../server/modules/settings/rules.ts'
import { defaultSettings } from '../../tests/published-settings.ts'
import { findJsonLdErrors, readJsonLd } from '../../tests/schema-org.ts'
import {
  blogPosting,
  breadcrumbs,
  itemList,
  organization,
  productGroupJsonLd,
  productJsonLd,
  webSite,
} from './json-ld.ts'
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
const bare: Product = { ...product, brand: undefined, kind: undefined, sku: undefined, gtin: undefined }

const jacket: Product = {
  ...bare,
  minimum: 1,
  options: 'variants',
  variants: [
    { id: product._id, size: 'M', colour: 'Blue', sku: 'J-M', gtin: '4006381333931', price: 40, quantity: 2 },
    { id: 'v2', size: 'L', colour: 'Blue', image: '/pictures/jacket/1d5fa8.svg', price: 45, quantity: 0 },
  ],
}

const own = publishSettings(
  {
    shop: {
      legalName: 'Held Out Motos LLC',
      email: 'hi@motos.example',
      phone: '+1 555 0100',
      street: '1 Road',
      postalCode: '78701',
      city: 'Austin',
      country: 'US',
      latitude: 30.27,
      longitude: -97.74,
      hours: [{ from: 'Saturday', to: 'Monday', opens: '09:00', closes: '18:00' }],
      social: ['https://social.example/motos'],
    },
    brand: { logo: `/pictures/uploaded/${'a'.repeat(32)}-640.jpeg` },
    footer: {},
    home: {},
    emails: {},
  },
  { name: null, address: [], email: null },
)

const unnamedShop = { ...defaultSettings.details, name: 'Torque Yard', isUnnamed: true }
const ownShop = { ...own.details, name: 'Held Out Motos', isUnnamed: false }

test.each([
  organization(origin, unnamedShop),
  organization(origin, ownShop),
  webSite(origin, 'Torque Yard'),
  breadcrumbs(origin, [
    { name: 'Home', path: '/' },
    { name: 'Products', path: '/products' },
  ]),
  itemList(origin, [product, bare], 24),
  productJsonLd(origin, product),
  productJsonLd(origin, bare),
  productGroupJsonLd(origin, jacket),
])('has all required properties: %o', (statement) => {
  expect(readJsonLd(dataBlock(statement)).flatMap(findJsonLdErrors)).toEqual([])
})

test('a product has its attributes as properties, with their units', () => {
  const attributes = [
    { name: 'Length', value: 150.5, unit: 'mm' },
    { name: 'Compound', value: 'Sintered' },
  ]
  const described = productJsonLd(origin, { ...product, attributes })
  expect(readJsonLd(dataBlock(described)).flatMap(findJsonLdErrors)).toEqual([])
  expect(described.additionalProperty).toEqual([
    { '@type': 'PropertyValue', name: 'Length', value: 150.5, unitText: 'mm' },
    { '@type': 'PropertyValue', name: 'Compound', value: 'Sintered' },
  ])
})

test('a product has the price and quantity of its minimum order, its identifiers and its URL', () => {
  expect(productJsonLd(origin, product)).toMatchObject({
    name: 'Brake pads',
    brand: { name: 'Grauwerk' },
    sku: 'GW-4711/A',
    mpn: 'GW-4711/A',
    gtin: '4006381333931',
    url: `${origin}/product/${product._id}/brake-pads`,
    image: `${origin}/pictures/brake-pads/d9482b.png`,
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

test.each(['4006381333931', '036000291452', '10036000291459', '9801234567892', '40123455', '95123455'])(
  'the global GTIN %s is in the JSON-LD of a product and of a variant',
  (gtin) => {
    expect(productJsonLd(origin, { ...product, gtin })).toMatchObject({ gtin })
    const variants = jacket.variants?.map((variant) => ({ ...variant, gtin }))
    const hasVariant = [{ gtin }, { gtin }]
    expect(productGroupJsonLd(origin, { ...jacket, variants })).toMatchObject({ hasVariant })
  },
)

test.each([
  '2001234567893',
  '212345678909',
  '00212345678909',
  '412345678903',
  '512345678900',
  '92001234567896',
  '9812345678902',
  '9841234567898',
  '9912345678909',
  '21234569',
  '01234565',
])('the GTIN %s of an in-store label or a coupon is not in the JSON-LD', (gtin) => {
  expect(productJsonLd(origin, { ...product, gtin })).not.toHaveProperty('gtin')
  const variants = jacket.variants?.map((variant) => ({ ...variant, gtin }))
  expect(JSON.stringify(productGroupJsonLd(origin, { ...jacket, variants }))).not.toContain('"gtin"')
})

test('the motorcycles of a part have the years and the version that it fits, with and without variants', () => {
  const k6 = { make: 'hayashi', model: 'k6', name: 'Hayashi K6', source: 'test' }
  const fitments = [
    { ...k6, yearFrom: 2006, yearTo: 2006, position: 'front' },
    { ...k6, yearFrom: 2006, yearTo: 2006, position: 'rear' },
    { ...k6, yearFrom: 2008, yearTo: 2010, version: 'ABS' },
  ]
  const isAccessoryOrSparePartFor = [
    { '@type': 'Motorcycle', name: 'Hayashi K6 2006', vehicleModelDate: '2006' },
    { '@type': 'Motorcycle', name: 'Hayashi K6 2008–2010 ABS' },
  ]
  for (const jsonLd of [
    productJsonLd(origin, product, fitments),
    productGroupJsonLd(origin, jacket, fitments),
  ]) {
    expect(jsonLd).toMatchObject({ isAccessoryOrSparePartFor })
    expect(findJsonLdErrors(jsonLd)).toEqual([])
  }
  const many = Array.from({ length: 30 }, (_, index) => ({
    ...k6,
    yearFrom: 1990 + index,
    yearTo: 1990 + index,
  }))
  expect(productGroupJsonLd(origin, jacket, many).isAccessoryOrSparePartFor).toHaveLength(20)
})

test('a product with variants is a group, and each variant has its choice, numbers, picture and offer', () => {
  const url = `${origin}/product/${product._id}/brake-pads`
  expect(productGroupJsonLd(origin, jacket)).toMatchObject({
    '@type': 'ProductGroup',
    productGroupID: product._id,
    url,
    variesBy: ['https://schema.org/size', 'https://schema.org/color'],
    hasVariant: [
      {
        '@type': 'Product',
        productID: product._id,
        name: 'Brake pads, M, Blue',
        size: 'M',
        color: 'Blue',
        sku: product._id,
        mpn: 'J-M',
        gtin: '4006381333931',
        image: `${origin}/pictures/brake-pads/d9482b.png`,
        offers: {
          url: `${url}?size=M&colour=Blue`,
          price: '40.00',
          availability: 'https://schema.org/InStock',
        },
      },
      {
        productID: 'v2',
        url: `${url}?size=L&colour=Blue`,
        image: `${origin}/pictures/jacket/1d5fa8.png`,
        offers: { price: '45.00', availability: 'https://schema.org/OutOfStock' },
      },
    ],
  })
})

test.each([
  [10, 'InStock'],
  [2, 'InStock'],
  [1, 'OutOfStock'],
  [0, 'OutOfStock'],
])('with %d in stock and a minimum order of 2 it is %s', (quantity, availability) => {
  const { offers } = productJsonLd(origin, { ...product, quantity })
  expect(offers).toMatchObject({ availability: `https://schema.org/${availability}` })
})

test('a product without a minimum order has the price of one piece and no price specification', () => {
  const { offers } = productJsonLd(origin, { ...product, minimum: 1 })
  expect(offers).toMatchObject({ price: '40.00' })
  expect(offers).not.toHaveProperty('priceSpecification')
})

test('a product has no ratings, because reviews are about the shop', () => {
  expect(JSON.stringify(productJsonLd(origin, product))).not.toMatch(/rating|review/i)
})

test('no text can end its data block, and all text is preserved', () => {
  const name = `</script><script>alert(1)</script><!-- \u2028\u2029 & "quoted" \\ 日本`
  const block = dataBlock(productJsonLd(origin, { ...product, name }))
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
  const { offers: _, ...priceless } = productJsonLd(origin, product)
  expect(findJsonLdErrors(priceless)).not.toEqual([])
  expect(findJsonLdErrors({ ...productJsonLd(origin, product), image: '/relative.png' })).not.toEqual([])
  expect(findJsonLdErrors({ ...productJsonLd(origin, product), aggregateRating: {} })).not.toEqual([])
  expect(findJsonLdErrors({ '@type': 'Poem' })).not.toEqual([])
  const list = itemList(origin, [product, bare], 0)
  expect(
    findJsonLdErrors({ ...list, itemListElement: [list.itemListElement].flat().toReversed() }),
  ).not.toEqual([])
})

test('a shop with an address is a store with hours, even over the end of the week', () => {
  expect(organization(origin, ownShop)).toMatchObject({
    '@type': 'AutoPartsStore',
    logo: `${origin}/pictures/uploaded/${'a'.repeat(32)}-640.jpeg`,
    address: {
      streetAddress: '1 Road',
      addressLocality: 'Austin',
      postalCode: '78701',
      addressCountry: 'US',
    },
    geo: { latitude: 30.27, longitude: -97.74 },
    openingHoursSpecification: [
      { dayOfWeek: ['Saturday', 'Sunday', 'Monday'], opens: '09:00', closes: '18:00' },
    ],
    sameAs: ['https://social.example/motos'],
  })
})

test('a shop without a logo has its icon, or the drawn mark, with the initial of the default name only', () => {
  const icon = `/pictures/uploaded/${'b'.repeat(32)}-640.png`
  const shop = { ...ownShop, logo: null }
  expect([unnamedShop, shop, { ...shop, icon }].map((each) => organization(origin, each))).toMatchObject([
    { logo: `${origin}/pictures/favicon.svg` },
    { logo: `${origin}/pictures/favicon-plain.svg` },
    { logo: origin + icon },
  ])
})

const post: PublicDocument = {
  kind: 'post',
  path: '/blogs/chain-care',
  title: 'Chain care',
  summary: '',
  category: '',
  image: '',
  html: '',
  publishedAt: '2026-11-01T08:00:00.000Z',
  changedAt: '2026-11-01T08:00:00.000Z',
}

test('a post names the shop as its author and publisher, with more than a reference', () => {
  const described = blogPosting(origin, post, ownShop)
  expect(findJsonLdErrors(described)).toEqual([])
  const url = `${origin}/`
  const publisher = { '@type': 'Organization', '@id': `${url}#shop`, name: 'Held Out Motos', url }
  expect(described).toMatchObject({ author: publisher, publisher })
})

test('a post without a picture has the share image of the shop', () => {
  const uploaded = `/pictures/uploaded/${'c'.repeat(32)}-1280.jpeg`
  expect(blogPosting(origin, post, unnamedShop).image).toBe(`${origin}/pictures/hero.png`)
  expect(blogPosting(origin, post, { ...ownShop, shareImage: uploaded }).image).toBe(origin + uploaded)
})
