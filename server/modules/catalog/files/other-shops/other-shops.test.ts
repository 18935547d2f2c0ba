import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ImportKind, ImportMode, ProductImport } from '../../../../../contract/imports.ts'
import { anAdmin, aProduct } from '../../../../../tests/factories.ts'
import { readSampleFile, withEarlierHeader } from '../../../../../tests/other-shop-files.ts'
import { checkFile, checkUndo, runImport } from '../../../../../tests/product-import.ts'
import { expectConsistent, useCustomer, useTestShop } from '../../../../../tests/shop.ts'
import { findRedirectTarget } from '../../../content/service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

type Others = Parameters<typeof checkFile>[6]
type OtherShop = Extract<ImportKind, 'shopify-products' | 'woocommerce-products'>

const check = (kind: ImportKind, file: string, others: Others = {}, mode: ImportMode = 'all') =>
  checkFile(shop, admin, file, kind, mode, undefined, others)
const importFile = async (kind: ImportKind, file: string, others?: Others, mode?: ImportMode) => {
  const checked = await check(kind, file, others, mode)
  return runImport(shop, admin, checked, checked.errorCount > 0 ? { skipErrors: 'true' } : {})
}
const toCounts = (notes: ProductImport['notes']) =>
  Object.fromEntries(notes.map(({ text, count }) => [text, count]))

async function readVariants() {
  const { rows } = await sql<{ name: string; sku: string; price: number; stock: number }>`
    select name, variants.sku, coalesce(variants.price_cents, products.price_cents) as price, variants.stock
    from variants join products on products.id = product_id
    where removed_at is null and deleted_at is null order by name, variants.sku, price`.execute(shop.db)
  return rows.map(({ name, sku, price, stock }) => [name, sku, price, stock])
}
async function readLive() {
  const { body } = await shop.call('listProducts')
  return body.map(({ _id, name }) => ({ id: _id, name }))
}
const idOf = async (name: string) => (await readLive()).find((product) => product.name === name)?.id ?? ''

interface Sample {
  kind: OtherShop
  file: string
  variants: (string | number | null)[][]
  paths: Record<string, string>
}
const shopify: Sample = {
  kind: 'shopify-products',
  file: readSampleFile('shopify-products'),
  variants: [
    ['Sintered pads', 'GW-204', 3990, 12],
    ['Touring jacket', 'CV-1-L', 25900, 0],
    ['Touring jacket', 'CV-1-M', 24900, 3],
  ],
  paths: { '/products/sintered-pads': 'Sintered pads', '/products/touring-jacket': 'Touring jacket' },
}
const wooCommerce: Sample = {
  kind: 'woocommerce-products',
  file: readSampleFile('woocommerce-products'),
  variants: [
    ['-10 °C gloves', null, 4950, 7],
    ['Sintered pads', 'GW-204', 3990, 12],
    ['Sintered pads', 'GW-205', 2900, 4],
    ['Touring jacket', 'CV-1-L', 25900, 0],
    ['Touring jacket', 'CV-1-M', 24900, 3],
  ],
  paths: {
    '/product/touring-jacket': 'Touring jacket',
    '/product/sintered-pads': 'Sintered pads',
    '/product/10-c-gloves': '-10 °C gloves',
  },
}

test('the report of a file of Shopify says what will be imported, and what not', async () => {
  const report = await check(shopify.kind, shopify.file)
  expect(report).toMatchObject({
    state: 'checked',
    added: 3,
    changed: 0,
    unchanged: 0,
    errorCount: 1,
    errors: [{ row: 6, column: 'Price', message: 'At least $0.01' }],
    wrongRows: 1,
    leftOutCount: 1,
    otherShop: {
      products: 2,
      productsAdded: 2,
      productsChanged: 0,
      oldAddresses: 2,
      newKinds: ['Brake pads', 'Jackets'],
    },
    pictureHosts: [{ host: 'cdn.shop.example', pictures: 3 }],
  })
  expect(report.notes).toContainEqual({ text: 'Draft', count: 1, rows: [5], leftOut: true })
  expect(toCounts(report.notes)).toEqual({
    Draft: 1,
    'Tags are not imported': 1,
    'A stock below 0 becomes 0': 1,
    'Products that sell without stock are only sold from stock': 1,
  })
  expect(await readVariants()).toEqual([])
})

test.each<[OtherShop, string, string, string]>([
  ['shopify-products', 'Handle,Title,Variant Price,Tags', 'grip,Grip', 'lever,Lever'],
  ['woocommerce-products', 'Type,Name,Regular price,Tags', 'simple,Grip', 'simple,Lever'],
])('a row of %s may lack blank cells at its end or have more of them', async (kind, header, one, other) => {
  expect(await check(kind, `${header}\n${one},9\n${other},9,,, \n${one} 2,9,,x,y\n`)).toMatchObject({
    added: 2,
    errors: [{ row: 4, column: '', message: 'This row has 6 cells, the header has 4' }],
  })
})

test('the report of a file of WooCommerce says what will be imported, and what not', async () => {
  expect(await check(wooCommerce.kind, wooCommerce.file, { stock: 7 })).toMatchObject({
    state: 'checked',
    added: 5,
    errorCount: 1,
    errors: [{ row: 8, column: 'Parent', message: 'The file has no variable product “id:99”' }],
    leftOutCount: 2,
    otherShop: { products: 4, productsAdded: 4, oldAddresses: 4 },
    pictureHosts: [{ host: 'shop.example', pictures: 3 }],
  })
})

describe.each([
  { ...shopify, name: 'with current column names' },
  { ...shopify, file: withEarlierHeader(shopify.file), name: 'with earlier column names' },
  { ...wooCommerce, name: 'with the sample' },
])('$kind $name', ({ kind, file, variants, paths }) => {
  const others = { stock: 7 }

  test('adds the products with their old addresses, and a second import changes nothing', async () => {
    const done = await importFile(kind, file, others)
    expect(done).toMatchObject({ state: 'done', added: variants.length, skipsErrors: true, undoable: true })
    expect(await readVariants()).toEqual(variants)
    for (const [path, name] of Object.entries(paths)) {
      const target = await findRedirectTarget(shop.db, `${path.toUpperCase()}/`)
      expect(target).toMatch(/^\/product\/[0-9a-f]+\//)
      const [, , id = ''] = target?.split('/') ?? []
      expect((await shop.call('getProduct', { params: { id } })).body.name).toBe(name)
    }
    const again = await check(kind, file, others)
    expect(again).toMatchObject({ added: 0, changed: 0, unchanged: variants.length })
    expect(again.otherShop).toMatchObject({
      productsAdded: 0,
      productsChanged: 0,
      oldAddresses: 0,
      newKinds: [],
    })
    await runImport(shop, admin, again, { skipErrors: 'true' })
    expect(await readVariants()).toEqual(variants)
    await expectConsistent(shop.db)
  })

  test('keeps the stock of known variants; counted stock sets it', async () => {
    await importFile(kind, file, others)
    const id =
      (await sql<{ id: string }>`select id from variants where sku = 'GW-204'`.execute(shop.db)).rows[0]
        ?.id ?? ''
    await shop.call('updateProduct', { as: admin, params: { id }, body: { quantity: 5 } })
    const stockOf = async () => (await readVariants()).find(([, sku]) => sku === 'GW-204')?.[3]
    expect(await importFile(kind, file, others)).toMatchObject({ added: 0, changed: 0 })
    expect(await stockOf()).toBe(5)
    expect(await importFile(kind, file, others, 'counts')).toMatchObject({ added: 0, changed: 1 })
    expect(await stockOf()).toBe(12)
  })

  test('can be undone', async () => {
    const done = await importFile(kind, file, others)
    await runImport(shop, admin, await checkUndo(shop, admin, done))
    expect(await readVariants()).toEqual([])
  })
})

describe('a product without part numbers', () => {
  const header = 'Title,URL handle,Price,Option1 name,Option1 value,Inventory quantity,Description'
  const file = (price: number) =>
    [header, `Grip,grip,${price},Size,S,2,Soft.`, `,grip,${price + 1},,M,3,`, 'Bell,bell,5,,,4,Loud.'].join(
      '\n',
    )

  test('is found by its old address, with size and colour', async () => {
    await importFile('shopify-products', file(9))
    const ids = await readLive()
    const report = await check('shopify-products', file(10))
    expect(report).toMatchObject({ added: 0, changed: 2, unchanged: 1, errorCount: 0 })
    await runImport(shop, admin, report)
    expect(await readLive()).toEqual(ids)
    expect((await readVariants()).map(([name, , price]) => [name, price])).toEqual([
      ['Bell', 500],
      ['Grip', 1000],
      ['Grip', 1100],
    ])
  })

  test('gets a part number that the file has later', async () => {
    await importFile('shopify-products', file(9))
    const lines = file(9)
      .split('\n')
      .map((line, index) => `${line},${['SKU', 'G-S', 'G-M', 'B-1'][index]}`)
    expect(await importFile('shopify-products', lines.join('\n'))).toMatchObject({ added: 0, changed: 3 })
    expect((await readVariants()).map(([, sku]) => sku)).toEqual(['B-1', 'G-M', 'G-S'])
  })

  test('is added again after it was deleted, and its old address leads to the new product', async () => {
    await importFile('shopify-products', file(9))
    const deleted = await idOf('Bell')
    await shop.call('deleteProduct', { as: admin, query: { id: deleted } })
    expect(await importFile('shopify-products', file(9))).toMatchObject({
      added: 1,
      changed: 0,
      unchanged: 2,
    })
    const bell = await idOf('Bell')
    expect(bell).not.toBe(deleted)
    expect(await findRedirectTarget(shop.db, '/products/bell')).toBe(`/product/${bell}/bell`)
    await expectConsistent(shop.db)
  })
})

test('a product that the shop has by its part number gets its old address, although nothing else changes', async () => {
  const id = await aProduct(shop, { sku: 'P-1', name: 'Pads' })
  const report = await check('shopify-products', 'Handle,Title,Variant Price,Variant SKU\npads,Pads,40,P-1')
  await runImport(shop, admin, report)
  expect(report.otherShop?.oldAddresses).toBe(1)
  expect(await findRedirectTarget(shop.db, '/products/pads')).toBe(`/product/${id}/pads`)
})

test('a new product without description and picture gets its name and a drawing, and keeps what an admin enters', async () => {
  const file = 'Handle,Title,Variant Price,Body (HTML),Image Src\npads,Pads,40,,'
  await importFile('shopify-products', file)
  const id = await idOf('Pads')
  const read = async () => (await shop.call('getProduct', { params: { id } })).body
  expect(await read()).toMatchObject({
    description: 'Pads',
    image: '/pictures/no-picture.svg',
    minimum: 1,
    options: 'none',
  })
  await sql`update products set description = 'Soft.', image = '/pictures/chain.svg', minimum_quantity = 2`.execute(
    shop.db,
  )
  expect(await check('shopify-products', file)).toMatchObject({ changed: 0, unchanged: 1 })
})

test('each picture is in the gallery once, even if another variant is the first', async () => {
  const [a, b, c] = ['a;1', 'b', 'c'].map((name) => `https://shop.example/${name}.jpg`)
  const header =
    'Handle,Title,Variant SKU,Variant Price,Option1 Name,Option1 Value,Image Src,Image Position,Variant Image'
  const small = `G-S,9,Size,S,${a},1,${a}`
  const medium = `G-M,9,Size,M,${b},2,${b}`
  const third = `grip,,,,,,${c},3,`
  await importFile('shopify-products', [header, `grip,Grip,${small}`, `grip,,${medium}`, third].join('\n'))
  const id = await idOf('Grip')
  const images = async () => {
    const { body } = await shop.call('getProduct', { params: { id } })
    return body.pictures?.map(({ image }) => image)
  }
  expect(await images()).toEqual([a, b, c])
  const turned = [header, `grip,Grip,${medium}`, `grip,,${small}`, third].join('\n')
  expect(await check('shopify-products', turned)).toMatchObject({ changed: 0, unchanged: 2 })
  await importFile('shopify-products', turned)
  expect(await images()).toEqual([a, b, c])
})

test('a file of WooCommerce without brands keeps the stored ones; an attribute named Brand sets them', async () => {
  const id = await aProduct(shop, { sku: 'P-1', name: 'Pads', brand: 'Grauwerk' })
  const header =
    'ID,Type,SKU,Name,Regular price,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)'
  const brandAfter = async (attributes: string) => {
    const done = await importFile('woocommerce-products', `${header}\n1,simple,P-1,Pads,41,${attributes}`)
    expect(done).toMatchObject({ state: 'done', added: 0 })
    return (await shop.call('getProduct', { params: { id } })).body.brand
  }
  expect(await brandAfter('Length,Short,,')).toBe('Grauwerk')
  expect(await brandAfter('Length,Short,Brand,Corvane')).toBe('Corvane')
})

test('sizes that share a stock are new without it, and a counted stock stays', async () => {
  const file = [
    'ID,Type,SKU,Name,Parent,Stock,In stock?,Regular price,Attribute 1 name,Attribute 1 value(s)',
    '1,variable,,Grip,,7,1,,Size,"S, M"',
    '2,variation,G-S,Grip,id:1,,1,9,Size,S',
    '3,variation,G-M,Grip,id:1,,1,9,Size,M',
  ].join('\n')
  const report = await check('woocommerce-products', file, { stock: 5 })
  expect(toCounts(report.notes)).toEqual({ 'Shared stock: enter it per size. New sizes get 0': 2 })
  await runImport(shop, admin, report)
  const stocks = async () => (await readVariants()).map(([, , , stock]) => stock)
  expect(await stocks()).toEqual([0, 0])
  const { rows } = await sql<{ id: string }>`select id from variants where sku = 'G-S'`.execute(shop.db)
  await shop.call('updateProduct', { as: admin, params: { id: rows[0]?.id ?? '' }, body: { quantity: 4 } })
  await importFile('woocommerce-products', file, { stock: 5 }, 'counts')
  expect(await stocks()).toEqual([0, 4])
})

test('options are up to 60 characters long, and a longer one is an error that names its column', async () => {
  const file = (value: string) =>
    `Handle,Title,Variant Price,Option1 Name,Option1 Value\ngrip,Grip,9,Size,${value}\ngrip,,9,,S`
  expect(await importFile('shopify-products', file('x'.repeat(60)))).toMatchObject({
    state: 'done',
    added: 2,
  })
  expect(await check('shopify-products', file('x'.repeat(61)))).toMatchObject({
    errors: [{ row: 2, column: 'Option1 Value', message: 'At most 60 characters' }],
    wrongRows: 2,
    added: 0,
  })
})

test('hostile text in cells stays text', async () => {
  const name = '<script>alert(1)</script>'
  const file = [
    'Handle,Title,Variant Price,Vendor,Type,Option1 Name,Option1 Value,Body (HTML)',
    `grip,${name},9,"<img src=x onerror=alert(1)>",=cmd(),<b>Length</b>,"""><svg onload=alert(1)>",<p onclick=x>Soft &lt;b&gt;</p>`,
    '../../dashboard,Other,9,,,,,',
    '"__proto__",Third,9,,constructor,,,',
  ].join('\n')
  expect(await importFile('shopify-products', file)).toMatchObject({ state: 'done', added: 2, errorCount: 1 })
  const { body } = await shop.call('getProduct', { params: { id: await idOf(name) } })
  expect(body).toMatchObject({
    name,
    brand: '<img src=x onerror=alert(1)>',
    kind: '=cmd()',
    description: 'Soft <b>',
    variants: [{ size: '"><svg onload=alert(1)>' }],
  })
})

describe('a file of another kind says what to choose', () => {
  const own = 'sku,name,price,quantity,minimum,description,image\nP-1,Pads,1,1,1,x,/pictures/chain.svg'
  const german = 'ID,Typ,Artikelnummer,Name,Veröffentlicht,Regulärer Preis\n1,simple,A,Pads,1,10'
  test.each<[ImportKind, string, RegExp]>([
    ['products', shopify.file, /“Products from Shopify”/],
    ['products', wooCommerce.file, /“Products from WooCommerce”/],
    ['products', 'Redirect from,Redirect to\n/a,/b', /“Redirects of old addresses”/],
    ['shopify-products', own, /“Products and stock”/],
    ['shopify-products', wooCommerce.file, /“Products from WooCommerce”/],
    ['shopify-products', 'Name,Email\n#1001,a@example.com', /“URL handle” is missing/],
    ['woocommerce-products', shopify.file, /“Products from Shopify”/],
    ['woocommerce-products', german, /language of your WordPress profile to English/],
  ])('%s: %#', async (kind, file, message) => {
    const { body } = await shop.call('previewImport', {
      as: admin,
      query: { kind },
      body: Buffer.from(file),
      headers: { 'content-type': 'text/csv' },
    })
    expect(body.problems[0]).toMatch(message)
    expect(await check(kind, file)).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(message),
    })
  })

  test('a folder in which this shop has pages is refused', async () => {
    for (const productPath of ['/dashboard', '/pages/x', '/blogs', 'product', '/a?b', '/']) {
      const { status, body } = await shop.call('checkImport', {
        as: admin,
        query: { fileName: 'a.csv', kind: 'woocommerce-products', productPath },
        body: Buffer.from(wooCommerce.file),
        headers: { 'content-type': 'text/csv' },
      })
      expect([productPath, status, body]).toEqual([
        productPath,
        400,
        expect.objectContaining({ fields: { productPath: expect.any(String) } }),
      ])
    }
  })
})
