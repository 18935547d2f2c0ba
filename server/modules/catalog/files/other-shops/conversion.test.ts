import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { type Random, randomFor } from '../../../../../tests/hardening/random.ts'
import { toEarlierHeader } from '../../../../../tests/other-shop-files.ts'
import {
  assignOptions,
  createNotes,
  type SourceProduct,
  toDescription,
  toGrams,
  toImage,
} from './conversion.ts'
import { openShopifyConverter } from './shopify.ts'
import { openWooCommerceConverter, toWordPressSlug } from './woocommerce.ts'

const readSample = (name: string): string[][] =>
  parse(readFileSync(new URL(`../../../../../tests/files/${name}.csv`, import.meta.url)), { bom: true })

type Open = typeof openShopifyConverter

/** Converts a file in memory. Returns the products without their cells, and the notes by their text. */
function convert(open: Open, [header = [], ...rows]: string[][]) {
  const notes = createNotes()
  const converter = open(header, { notes })
  const products: SourceProduct[] = []
  rows.forEach((cells, index) => products.push(...converter.add({ row: index + 2, cells })))
  products.push(...converter.end())
  return {
    products: products.map(({ first, shared, oldPath, hasOptions, variants }) => ({
      row: first.row,
      shared,
      oldPath,
      hasOptions,
      variants: variants.map(({ source, ...variant }) => ({ row: source.row, ...variant })),
    })),
    notes: Object.fromEntries(notes.list().map(({ text, count }) => [text, count])),
    leftOut: notes.leftOut(),
  }
}
const openWooCommerce: Open = (header, options) =>
  openWooCommerceConverter(header, {
    productPath: '/product',
    now: new Date('2026-06-15T12:00:00Z'),
    ...options,
  })

describe('a file of Shopify', () => {
  const sample = readSample('shopify-products')
  const [header = [], ...rows] = sample

  test('becomes products with the values of this shop', () => {
    const { products, notes, leftOut } = convert(openShopifyConverter, sample)
    expect(
      products.map(({ oldPath, hasOptions, variants }) => [oldPath, hasOptions, variants.length]),
    ).toEqual([
      ['/products/sintered-pads', false, 1],
      ['/products/touring-jacket', true, 2],
      ['/products/bolt-kit', false, 1],
    ])
    const [pads, jacket] = products
    expect(pads?.shared).toEqual({
      name: 'Sintered pads',
      brand: 'Grauwerk',
      kind: 'Brake pads',
      description: 'Front.\nTwo pins.',
      pictures: 'https://cdn.shop.example/pads.jpg?v=1',
    })
    expect(jacket?.variants.map(({ row, values }) => [row, values])).toEqual([
      [3, expect.objectContaining({ sku: 'CV-1-M', size: 'M', colour: 'Black', price: 249, quantity: 3 })],
      [4, expect.objectContaining({ sku: 'CV-1-L', size: 'L', colour: 'Black', price: 259, quantity: 0 })],
    ])
    expect(leftOut).toBe(1)
    expect(notes).toEqual({
      Draft: 1,
      'Tags are not imported': 1,
      'A stock below 0 becomes 0': 1,
      'Products that sell without stock are only sold from stock': 1,
    })
    expect(jacket?.shared.pictures).toBe(
      'https://cdn.shop.example/jacket.jpg; https://cdn.shop.example/back.jpg',
    )
  })

  test('means the same with the earlier column names, with a mixture, and in any order of columns', () => {
    const expected = convert(openShopifyConverter, sample)
    const earlier = toEarlierHeader(header)
    expect(earlier).not.toEqual(header)
    expect(convert(openShopifyConverter, [earlier, ...rows])).toEqual(expected)
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomFor(seed, 0)
      const mixed = header.map((name, place) =>
        random.pick([name, earlier[place] ?? name, name.toUpperCase()]),
      )
      const order = shuffle([...header.keys()], random)
      const shuffled = [mixed, ...rows].map((row) => order.map((place) => row[place] ?? ''))
      expect(convert(openShopifyConverter, shuffled), `seed ${seed}`).toEqual(expected)
    }
  })

  const shuffle = (places: number[], random: Random): number[] => {
    const rest = [...places]
    return places.map(() => rest.splice(rest.indexOf(random.pick(rest)), 1)[0] ?? 0)
  }

  test('a value of a column that is not imported never changes a product', () => {
    const more = [
      'SEO title',
      'Google Shopping / Gender',
      'Price / Nordland',
      'Cost per item',
      'Notes of ours',
    ]
    const wide = [[...header, ...more], ...rows.map((row) => [...row, 'a', '', 'b', '1', 'x'])]
    const { products, notes } = convert(openShopifyConverter, wide)
    expect(products).toEqual(convert(openShopifyConverter, sample).products)
    expect(notes).toMatchObject({
      'Titles and descriptions for search engines are not imported': 4,
      'Prices of single markets are not imported': 4,
      'Costs are not imported': 4,
      'Unknown columns are not imported: “Notes of ours”': 1,
    })
    expect(notes).not.toHaveProperty('Values for Google Shopping are not imported')
  })

  test('with too many rows for one product is refused', () => {
    const rows = Array.from({ length: 6000 }, () => ['', 'Grip', '9'])
    expect(() => convert(openShopifyConverter, [['Handle', 'Title', 'Variant Price'], ...rows])).toThrow(
      'Row 5002: more than 5,000 rows have the URL handle “”',
    )
  })

  test('without the apostrophes of an export for spreadsheets before part numbers and bar codes', () => {
    const { products, notes } = convert(openShopifyConverter, [
      ['Handle', 'Title', 'Variant Price', 'Variant SKU', 'Variant Barcode'],
      ['grip', "'Grip", '9', "'0012345", "'4006381333931"],
      ['lever', 'Lever', '9', "''Ä'1", ''],
    ])
    expect(products.map(({ shared, variants }) => [shared.name, variants[0]?.values])).toEqual([
      ["'Grip", expect.objectContaining({ sku: '0012345', gtin: '4006381333931' })],
      ['Lever', expect.objectContaining({ sku: "''Ä'1" })],
    ])
    expect(notes).toEqual({})
  })

  test('the picture with the lowest position is the first, and a row with only a picture is not a variant', () => {
    const lines = [
      [
        'Handle',
        'Title',
        'Variant Price',
        'Image Src',
        'Image Position',
        'Variant Image',
        'Option1 Name',
        'Option1 Value',
      ],
      ['grip', 'Grip', '9', 'https://cdn.example/2.jpg', '2', '', 'Size', 'S'],
      ['grip', '', '9', 'https://cdn.example/1.jpg', '1', 'https://cdn.example/m.jpg', '', 'M'],
      ['grip', '', '', 'https://cdn.example/3.jpg', '3', '', '', ''],
    ]
    const { products, notes } = convert(openShopifyConverter, lines)
    expect(products[0]?.variants.map(({ values }) => values.image)).toEqual([
      'https://cdn.example/1.jpg',
      'https://cdn.example/m.jpg',
    ])
    expect(products[0]?.shared.pictures).toBe(
      [1, 2, 3].map((number) => `https://cdn.example/${number}.jpg`).join('; '),
    )
    expect(notes).toEqual({})
  })

  test.each([
    ['active', 'TRUE', 'FALSE', null],
    ['', '', '', null],
    ['archived', 'TRUE', 'FALSE', 'Archived'],
    ['constructor', 'TRUE', 'FALSE', 'Not active'],
    ['active', 'FALSE', 'FALSE', 'Not published in the online store'],
    ['active', 'TRUE', 'TRUE', 'Gift card'],
  ])('with status %j, published %j and gift card %j is left out: %s', (status, published, card, reason) => {
    const { products, notes } = convert(openShopifyConverter, [
      ['Handle', 'Title', 'Variant Price', 'Status', 'Published', 'Gift Card'],
      ['a', 'A', '1', status, published, card],
    ])
    expect([products.length, Object.keys(notes)]).toEqual(reason ? [0, [reason]] : [1, []])
  })
})

describe('a file of WooCommerce', () => {
  const sample = readSample('woocommerce-products')

  test('becomes products with the values of this shop', () => {
    const { products, notes, leftOut } = convert(openWooCommerce, sample)
    expect(products.map(({ oldPath, variants }) => [oldPath, variants.length])).toEqual([
      ['/product/sintered-pads', 1],
      ['/product/touring-jacket', 2],
      ['/product/10-c-gloves', 1],
      ['/product/sintered-pads-2', 1],
      ['', 1],
    ])
    const [pads, jacket, gloves, , lost] = products
    expect(pads?.shared).toEqual({
      name: 'Sintered pads',
      brand: 'Grauwerk',
      kind: 'Brake pads',
      description: 'Front.\n\nTwo pins.',
      pictures: 'https://shop.example/pads.jpg',
    })
    expect(pads?.variants[0]?.values).toMatchObject({ price: 39.9, quantity: 12, weight: 350 })
    expect(jacket?.shared).toMatchObject({
      kind: 'Jackets',
      description: 'Two vents.\nWarm.',
      pictures: 'https://shop.example/jacket.jpg; https://shop.example/back.jpg',
    })
    expect(
      jacket?.variants.map(({ values }) => [values.size, values.colour, values.quantity, values.image]),
    ).toEqual([
      ['M', 'Black', 3, 'https://shop.example/jacket.jpg'],
      ['L', 'Black', undefined, 'https://shop.example/jacket.jpg'],
    ])
    expect(gloves?.shared.name).toBe('-10 °C gloves')
    expect(gloves?.variants[0]?.values).toMatchObject({ price: 49.5, quantity: undefined })
    expect(lost?.variants[0]?.errors).toEqual([
      { column: 'Parent', message: 'The file has no variable product “id:99”' },
    ])
    expect(leftOut).toBe(2)
    expect(notes).toEqual({
      'Tags are not imported': 1,
      'Not published': 1,
      'Grouped product': 1,
      'The sale price is imported as the price': 1,
      'Shared stock: enter it per size. New sizes get 0': 1,
    })
  })

  test('means the same if its rows and columns are in another order', () => {
    const [header = [], ...rows] = sample
    const turned = [header, ...rows.toReversed()].map((row) => row.toReversed())
    const byPath = (lines: string[][]) => {
      const { products, ...others } = convert(openWooCommerce, lines)
      const sorted = products.map(({ row: _row, variants, ...product }) => ({
        ...product,
        variants: variants
          .map(({ values }) => values)
          .toSorted((a, b) => (String(a.sku) < String(b.sku) ? -1 : 1)),
      }))
      return { ...others, products: sorted.toSorted((a, b) => (a.oldPath < b.oldPath ? -1 : 1)) }
    }
    expect(byPath(turned)).toEqual(byPath(sample))
  })

  test('many products with one name have addresses with numbers, in the order of their ids', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => [String(index), 'simple', 'Grip'])
    const { products } = convert(openWooCommerce, [
      ['ID', 'Type', 'Name'],
      ...rows,
      ['20000', 'simple', 'Grip 2'],
    ])
    const paths = products.map(({ oldPath }) => oldPath)
    expect(paths.slice(0, 3)).toEqual(['/product/grip', '/product/grip-2', '/product/grip-3'])
    expect(paths.at(-1)).toBe('/product/grip-2-2')
    expect(new Set(paths).size).toBe(20_001)
  })

  const simple = (columns: Record<string, string>) =>
    convert(openWooCommerce, [
      ['Type', 'Name', ...Object.keys(columns)],
      ['simple', 'Grip', ...Object.values(columns)],
    ])

  test.each([
    ['2026-06-15', '2026-06-15', 8],
    ['', '2026-06-14', 10],
    ['2026-06-16', '', 10],
    ['2026-06-01 00:00:00', '2026-06-30 23:59:59', 8],
  ])('a sale from %j to %j gives the price %s', (starts, ends, price) => {
    const { products } = simple({
      'Regular price': '10',
      'Sale price': '8',
      'Date sale price starts': starts,
      'Date sale price ends': ends,
    })
    expect(products[0]?.variants[0]?.values.price).toBe(price)
  })

  test.each([
    [{ Categories: String.raw`Pads\, front > Sintered, Sale` }, { kind: 'Sintered' }],
    [{ Categories: 'Nuts &amp; bolts' }, { kind: 'Nuts & bolts' }],
    [{ Brands: 'Grauwerk > Racing' }, { brand: 'Racing' }],
    [{ 'Attribute 1 name': 'Brand', 'Attribute 1 value(s)': 'Corvane' }, { brand: 'Corvane' }],
  ])('%j becomes %j', (columns, shared) => {
    expect(simple(columns).products[0]?.shared).toMatchObject(shared)
  })

  test.each([
    ['Weight (kg)', '0,35', 350],
    ['Weight (g)', '12.4', 12],
    ['Weight (lbs)', '1', 454],
    ['Weight (oz)', '0', undefined],
  ])('a %s of %s is %s grams', (column, weight, grams) => {
    expect(simple({ [column]: weight }).products[0]?.variants[0]?.values.weight).toBe(grams)
  })

  // British and Australian English spell the column in another way.
  test.each(['Visibility in catalog', 'Visibility in catalogue'])('“%s” hides a product', (column) => {
    const { products, notes } = simple({ [column]: 'hidden', 'Regular price': '9' })
    expect([products, notes]).toEqual([[], { 'Hidden in the catalog': 1 }])
  })

  const withVariation = (parent: Record<string, string>, variation: Record<string, string>) => {
    const names = [...new Set([...Object.keys(parent), ...Object.keys(variation)])]
    const { products, ...others } = convert(openWooCommerce, [
      ['ID', 'Type', 'Name', 'Parent', 'Attribute 1 name', 'Attribute 1 value(s)', ...names],
      ['1', 'variable', 'Grip', '', 'Size', 'S', ...names.map((name) => parent[name] ?? '')],
      ['2', 'variation', 'Grip', 'id:1', 'Size', 'S', ...names.map((name) => variation[name] ?? '')],
    ])
    return { ...others, variant: products[0]?.variants[0] }
  }

  test.each([
    ['7', '', '1', undefined, true],
    ['7', 'parent', '1', undefined, true],
    ['', 'parent', '1', undefined, true],
    ['7', '', '0', 0, undefined],
    ['0', '', '0', 0, undefined],
    ['7', '', 'backorder', 0, undefined],
    ['7', '2', '1', 2, undefined],
    ['', '', '1', undefined, undefined],
  ])(
    'of a stock of %j, a variation with the stock %j, in stock %j, has %j',
    (shared, own, inStock, quantity, sharesStock) => {
      const { variant, notes } = withVariation({ Stock: shared }, { Stock: own, 'In stock?': inStock })
      expect([variant?.values.quantity, variant?.sharesStock]).toEqual([quantity, sharesStock])
      expect(notes).toEqual(sharesStock ? { 'Shared stock: enter it per size. New sizes get 0': 1 } : {})
    },
  )

  test('an escaped comma is a comma, in one value as in a list', () => {
    const { variant } = withVariation(
      {},
      {
        'Attribute 2 name': 'Color',
        'Attribute 2 value(s)': String.raw`Black\, matt`,
        Images: String.raw`https://shop.example/w_600\,h_400/a.jpg, https://shop.example/b,c.jpg`,
      },
    )
    expect(variant?.values).toMatchObject({
      size: 'S',
      colour: 'Black, matt',
      image: 'https://shop.example/w_600,h_400/a.jpg',
    })
  })

  test('a variation for any value is an error that names the attribute', () => {
    const { products } = convert(openWooCommerce, [
      ['ID', 'Type', 'SKU', 'Name', 'Parent', 'Attribute 1 name', 'Attribute 1 value(s)'],
      ['1', 'variable', 'P', 'Grip', '', 'Size', 'S, M'],
      ['2', 'variation', 'P-1', 'Grip', 'P', 'Size', ''],
    ])
    expect(products[0]?.variants[0]?.errors?.[0]?.message).toContain('any Size')
  })

  test.each([
    ['Sintered pads', 'sintered-pads'],
    ['Bremsbelag „Sinter“ 1/2" – schwarz', 'bremsbelag-sinter-1-2-schwarz'],
    ['Größe & Maß', 'grosse-mass'],
    ['-10 °C gloves', '10-c-gloves'],
    ['v1.5  <b>new</b>', 'v1-5-new'],
    ['Тормоз', 'тормоз'],
    ['!?', ''],
  ])('the address of %s ends with %s', (name, slug) => {
    expect(toWordPressSlug(name)).toBe(slug)
  })

  test('the address of a very long name is made from its first 1,000 characters', () => {
    const tags = '<b>'.repeat(330)
    expect(toWordPressSlug(`${tags}Grip`)).toBe('grip')
    expect(toWordPressSlug(`${tags}${'<b>'.repeat(70)}Grip`)).toBe('')
  })
})

test.each([
  [
    ['Size', 'Color'],
    ['size', 'colour'],
  ],
  [
    ['Farbe', 'Größe'],
    ['colour', 'size'],
  ],
  [['Length'], ['size']],
  [
    ['Couleur', 'Length'],
    ['colour', 'size'],
  ],
  [
    ['Size', 'Material', 'Length'],
    ['size', 'colour', 'colour'],
  ],
  [
    ['Size', 'Colour', 'Length'],
    ['size', 'colour', 'size'],
  ],
])('the options %j become %j', (names, columns) => {
  expect(assignOptions(names)).toEqual(columns)
})

test('a description becomes text of at most 4,000 characters, which a note says', () => {
  const notes = createNotes()
  expect(
    toDescription('<h2>Grip</h2><script>alert(1)</script><a href="javascript:x">Soft</a>', 2, notes),
  ).toBe('Grip\n\nSoft')
  expect(toDescription('&lt;script&gt; stays text', 2, notes)).toBe('<script> stays text')
  expect(toDescription('One\r\nTwo\u202e', 2, notes)).toBe('One\nTwo')
  expect(toDescription(' ', 2, notes)).toBeUndefined()
  expect(notes.list()).toEqual([])
  expect(toDescription(`${'x'.repeat(3999)}🏍`, 3, notes)).toBe('x'.repeat(3999))
  expect(notes.list()).toEqual([{ text: 'The description is cut at 4,000 characters', count: 1, rows: [3] }])
})

test('a picture without a valid address does not prevent the import of its product', () => {
  const notes = createNotes()
  expect(toImage('https://cdn.example/a b.jpg', 2, notes)).toBe('https://cdn.example/a%20b.jpg')
  expect(toImage('', 2, notes)).toBeUndefined()
  expect(notes.list()).toEqual([])
  for (const url of ['javascript:alert(1)', 'a.jpg', 'https://user:word@cdn.example/a.jpg']) {
    expect(toImage(url, 3, notes)).toBeUndefined()
  }
  expect(notes.list()).toMatchObject([{ count: 3 }])
})

test.each([
  ['487.61179775', 488],
  ['192.011320125625', 192],
  ['192,0', 192],
])('a weight of %s grams, converted by the other shop, is %s grams', (text, grams) => {
  expect(toGrams(text, 1)).toBe(grams)
})

test('a weight that is not a number is left to the rules', () => {
  expect(toGrams('heavy', 1)).toBe(0.5)
})
