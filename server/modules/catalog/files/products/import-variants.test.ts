import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCheckout, aCustomer, anAdmin, aPlacedCheckout, aProduct } from '../../../../../tests/factories.ts'
import { checkFile, runImport } from '../../../../../tests/product-import.ts'
import { expectConsistent, useCustomer, useTestShop } from '../../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const header = 'sku,name,price,quantity,minimum,description,image,group,size,colour,swatch,weight'
const row = (
  sku: string,
  size: string,
  { name = 'Jacket', price = '100', group = 'jacket', image = '/pictures/chain.svg' } = {},
) => `${sku},${name},${price},2,1,Warm.,${image},${group},${size},Black,#000000,900`
const check = (...lines: string[]) => checkFile(shop, admin, lines.join('\n'))
const importRows = async (...lines: string[]) => runImport(shop, admin, await check(...lines))
const download = async () => (await shop.request<string>('GET', '/api/v1/products.csv', { as: admin })).body
async function readProduct() {
  const { _id: id = '' } = (await shop.call('listProducts')).body[0] ?? {}
  return (await shop.call('getProduct', { params: { id } })).body
}
const readPrices = async () => (await readProduct()).variants?.map(({ price }) => price)

test('rows with the same group become one product with variants; the product has the lowest price', async () => {
  await importRows(
    header,
    row('J-S', 'S', { price: '120' }),
    row('J-M', 'M'),
    row('J-L', 'L', { price: '109.50' }),
  )
  const product = await readProduct()
  expect(product).toMatchObject({ options: 'variants', price: 100, quantity: 6, name: 'Jacket' })
  expect(product.variants?.map(({ sku, size, price }) => [sku, size, price])).toEqual([
    ['J-S', 'S', 120],
    ['J-M', 'M', 100],
    ['J-L', 'L', 109.5],
  ])
  expect(product.variants?.[0]).toMatchObject({ id: product._id, swatch: '#000000', weight: 900 })
  await expectConsistent(shop.db)
})

test('a file with part numbers and shelves sets the shelves, with and without own sizes, and clears blank ones', async () => {
  await importRows(header, row('J-S', 'S'), row('J-M', 'M'))
  await aProduct(shop, { sku: 'P-1', name: 'Pads' })
  const readShelves = async () => {
    const variants = await shop.db
      .selectFrom('variants')
      .select(['sku', 'shelf', 'low_stock', 'weight_grams'])
      .orderBy('sku')
      .execute()
    return variants.map(({ sku, shelf, low_stock: low, weight_grams: grams }) => [sku, shelf, low, grams])
  }
  await importRows('sku,shelf,low_stock', 'J-S,B-12-3,0', 'P-1,A-1,5')
  expect(await readShelves()).toEqual([
    ['J-M', null, null, 900],
    ['J-S', 'B-12-3', 0, 900],
    ['P-1', 'A-1', 5, null],
  ])
  await importRows('sku,price', 'J-S,90', 'P-1,41')
  await importRows('sku,shelf', 'J-S,', 'J-M,B-12-4')
  await importRows('sku,low_stock', 'J-S,', 'P-1,4')
  expect(await readShelves()).toEqual([
    ['J-M', 'B-12-4', null, 900],
    ['J-S', null, null, 900],
    ['P-1', 'A-1', 4, null],
  ])
})

test('an export that is imported again changes nothing', async () => {
  await importRows(
    header,
    row('J-S', 'S', { price: '120' }),
    row('', 'M'),
    row('J-L', 'L', { group: 'other' }),
  )
  const before = await download()
  const dryRun = await check(before)
  expect(dryRun).toMatchObject({ errorCount: 0, added: 0, changed: 0, unchanged: 3 })
  await runImport(shop, admin, dryRun)
  expect(await download()).toBe(before)
})

test('a price list by part number changes variants; a variant that it lacks keeps its price', async () => {
  await importRows(header, row('J-S', 'S'), row('J-M', 'M'), row('J-L', 'L', { price: '120' }))
  await importRows('sku,price', 'J-S,90')
  expect((await readProduct()).price).toBe(90)
  expect(await readPrices()).toEqual([90, 100, 120])
  await importRows('sku,price', 'J-S,130', 'J-M,125')
  expect((await readProduct()).price).toBe(120)
  expect(await readPrices()).toEqual([130, 125, 120])
  await expectConsistent(shop.db)
})

test('a new price of a product writes only the variants that it changes', async () => {
  await importRows(header, row('J-S', 'S', { price: '120' }), row('J-M', 'M'), row('J-L', 'L'))
  const listVersions = async () => {
    const { rows } = await sql<{ size: string; version: string }>`
      select size, xmin::text as version from variants order by size`.execute(shop.db)
    return Object.fromEntries(rows.map(({ size, version }) => [size, version]))
  }
  const before = await listVersions()
  expect(await importRows('sku,price', 'J-M,90')).toMatchObject({ changed: 1 })
  expect(await readPrices()).toEqual([120, 90, 100])
  const { L, ...others } = await listVersions()
  // The price of the product was its price too.
  expect(L).not.toBe(before.L)
  expect(others).toEqual({ S: before.S, M: before.M })
  await expectConsistent(shop.db)
})

test('a product keeps its picture, although all variants have others, until a row changes one of those', async () => {
  const [helmet, glove, boot] = ['/pictures/helmet.svg', '/pictures/glove.svg', '/pictures/boot.svg']
  await importRows(header, row('J-S', 'S', { image: helmet }), row('J-M', 'M', { image: glove }))
  await shop.db.updateTable('variants').set({ image: helmet }).where('sku', '=', 'J-S').execute()
  await shop.db.updateTable('products').set({ image: '/pictures/chain.svg' }).execute()
  const before = await download()
  const readPictures = async () => {
    const { image, variants = [] } = await readProduct()
    return [image, ...variants.map((variant) => variant.image)]
  }
  const pictures = await readPictures()
  expect(pictures).toEqual(['/pictures/chain.svg', helmet, glove])
  for (const file of ['sku,quantity\nJ-M,2', 'sku,price\nJ-M,100', before]) {
    const dryRun = await check(file)
    expect(dryRun).toMatchObject({ errorCount: 0, added: 0, changed: 0 })
    await runImport(shop, admin, dryRun)
    expect(await readPictures()).toEqual(pictures)
  }
  await importRows(header, row('J-L', 'L', { image: boot, group: (await readProduct())._id }))
  expect(await readPictures()).toEqual([...pictures, boot])
  await importRows('sku,image', `J-S,${boot}`)
  expect(await readPictures()).toEqual([boot, undefined, glove, boot])
})

test('a group adds variants to an existing product and removes none', async () => {
  await importRows(header, row('J-S', 'S'), row('J-M', 'M'))
  const { _id: id } = await readProduct()
  await importRows(header, row('J-XL', 'XL', { group: id, price: '130' }))
  const { variants, quantity } = await readProduct()
  expect([variants?.map(({ size }) => size), quantity]).toEqual([['S', 'M', 'XL'], 6])
  await expectConsistent(shop.db)
})

describe('a row with the size and colour of a removed variant', () => {
  const list = async (id: string) => shop.call('listVariants', { as: admin, params: { id } })
  const removeAll = async (id: string, isRemoved: (variant: { size?: string | undefined }) => boolean) => {
    const { body, headers } = await list(id)
    const { status } = await shop.call('saveVariants', {
      as: admin,
      params: { id },
      headers: { 'if-match': headers.get('etag') ?? '' },
      body: { options: 'variants', variants: body.variants.filter((each) => !isRemoved(each)).map(toEdited) },
    })
    expect(status).toBe(200)
  }
  const toEdited = ({ quantity: _stock, ...variant }: { quantity: number }) => variant

  test.each(['S', 'M'])('restores %s with the counted stock', async (size) => {
    await importRows(
      header,
      row('J-S', 'S').replace(',2,1,', ',0,1,'),
      row('J-M', 'M').replace(',2,1,', ',0,1,'),
    )
    const { _id: group, variants: [first, second] = [] } = await readProduct()
    const removed = size === 'S' ? first : second
    await removeAll(group, (variant) => variant.size === size)
    const done = await importRows(
      header,
      row('J-NEW', size, { group, price: '130' }),
      row('J-L', 'L', { group }),
    )
    expect(done).toMatchObject({ state: 'done', added: 2, changed: 0 })
    const { variants, quantity } = await readProduct()
    expect(variants?.map((each) => [each.sku, each.size, each.quantity])).toEqual([
      [size === 'S' ? 'J-M' : 'J-S', size === 'S' ? 'M' : 'S', 0],
      ['J-NEW', size, 2],
      ['J-L', 'L', 2],
    ])
    expect(variants?.[1]).toMatchObject({ id: removed?.id, price: 130 })
    expect(quantity).toBe(4)
    const { entries } = (
      await shop.call('listAudit', {
        as: admin,
        query: { area: 'products', subject: (await readProduct())._id },
      })
    ).body
    expect(entries.map(({ kind, subject }) => `${subject.name} ${kind}`)).toContain(
      `Jacket, ${size}, Black added`,
    )
    await expectConsistent(shop.db)
  })

  test('adds pieces that an order has returned to it to the ledger', async () => {
    await importRows(header, row('J-S', 'S'), row('J-M', 'M'))
    const { _id: group, variants: [, medium] = [] } = await readProduct()
    const lines = [{ variantId: medium?.id ?? '', quantity: 2, unitPrice: 100 }]
    const orderId = await aPlacedCheckout(shop, await aCustomer(shop), aCheckout(lines))
    await removeAll(group, ({ size }) => size === 'M')
    await shop.call('deleteOrder', { as: admin, query: { id: orderId } })
    await importRows(header, row('J-M', 'M', { group }).replace(',2,1,', ',5,1,'))
    expect((await readProduct()).quantity).toBe(7)
    await expectConsistent(shop.db)
  })
})

describe('rows that take over what another variant has', () => {
  const columns = header.replace('sku', 'id,sku')
  const ids = async () => (await readProduct()).variants?.map(({ id }) => id) ?? []
  const list = async () => (await readProduct()).variants?.map(({ id, sku, size }) => [id, sku, size])

  test('swap sizes and part numbers, and each change is recorded once', async () => {
    await importRows(header, row('J-S', 'S'), row('J-M', 'M'), row('J-L', 'L'))
    const { _id: group } = await readProduct()
    const [small, medium, large] = await ids()
    const rows = [
      `${small},${row('J-M', 'L', { group })}`,
      `${medium},${row('J-L', 'M', { group })}`,
      `${large},${row('J-S', 'S', { group })}`,
    ]
    expect(await importRows(columns, ...rows)).toMatchObject({ state: 'done', changed: 3 })
    expect(await list()).toEqual([
      [small, 'J-M', 'L'],
      [medium, 'J-L', 'M'],
      [large, 'J-S', 'S'],
    ])
    const { entries } = (
      await shop.call('listAudit', {
        as: admin,
        query: { area: 'products', subject: (await readProduct())._id },
      })
    ).body
    const edits = entries.filter(({ kind }) => kind !== 'added')
    expect(edits.map(({ kind }) => kind)).toEqual(['edited', 'edited', 'edited'])
    const fields = edits.map(({ changes = [] }) => changes.map(({ field }) => field).join())
    expect(fields.toSorted()).toEqual(['sku', 'sku,size', 'sku,size'])
    await expectConsistent(shop.db)
  })

  test('a new variant takes the size that another one gives up', async () => {
    await importRows(header, row('J-S', 'S'), row('J-M', 'M'))
    const { _id: group } = await readProduct()
    const [small, medium] = await ids()
    const rows = [`,${row('J-N', 'S', { group })}`, `${small},${row('J-S', 'XS', { group })}`]
    expect(await importRows(columns, ...rows)).toMatchObject({ state: 'done', added: 1, changed: 1 })
    expect(await list()).toEqual([
      [small, 'J-S', 'XS'],
      [medium, 'J-M', 'M'],
      [expect.any(String), 'J-N', 'S'],
    ])
    await expectConsistent(shop.db)
  })

  test('two products swap their part numbers; a number that stays in use is an error', async () => {
    const [one, other] = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    await importRows('id,sku', `${one},P-2`, `${other},P-1`)
    const read = async (id: string) => (await shop.call('getProduct', { params: { id } })).body.sku
    expect([await read(one), await read(other)]).toEqual(['P-2', 'P-1'])
    const message = 'Another product has this part number: Sintered brake pads'
    expect((await check('id,sku', `${one},P-1`)).errors).toEqual([{ row: 2, column: 'sku', message }])
    await expectConsistent(shop.db)
  })

  test('a variant that is named by its id and by its part number is found once', async () => {
    const id = await aProduct(shop, { sku: 'P-1' })
    expect((await check('id,sku', `${id},P-2`, ',P-1')).errors).toEqual([
      { row: 3, column: 'sku', message: 'Row 2 is for the same product' },
    ])
  })
})

test('the first row of a product can add a variant that has an exported quantity', async () => {
  await importRows(header, row('J-S', 'S'))
  const columns = header.replace('quantity', 'quantity,quantity_exported')
  const exported = (line: string) => line.replace(',2,1,', ',5,2,1,').replace('Jacket', 'Coat')
  const { _id: group } = await readProduct()
  const rows = [row('J-M', 'M', { group }), row('J-S', 'S', { group })].map(exported)
  const { state, added, changed } = await importRows(columns, ...rows)
  expect({ state, added, changed }).toEqual({ state: 'done', added: 1, changed: 1 })
  expect(await readProduct()).toMatchObject({ name: 'Coat', quantity: 10 })
  await expectConsistent(shop.db)
})

test('the total stock of a product has a limit', async () => {
  const error = { column: 'quantity', message: 'The stock of all sizes and colours together is too large' }
  const full = row('J-S', 'S').replace(',2,1,', ',2147483647,1,')
  expect(await check(header, full, row('J-M', 'M'))).toMatchObject({
    errorCount: 1,
    errors: [{ row: 2, ...error }],
  })
  await importRows(header, row('J-S', 'S'), row('J-M', 'M'))
  expect((await check('sku,quantity', 'J-M,2147483646')).errors).toEqual([{ row: 2, ...error }])
  expect((await importRows('sku,quantity', 'J-M,2147483645')).state).toBe('done')
  expect((await readProduct()).quantity).toBe(2147483647)
})

test.each([
  [[row('A', 'S'), row('B', 'M', { name: 'Coat' })], 3, 'name'],
  [[row('A', 'S'), row('B', 'S')], 3, 'size'],
  [[row('A', '').replace('Black', '')], 2, 'size'],
  [[row('A', 'S'), row('B', 'M').replace('Black', '')], 3, 'colour'],
  [[row('A', 'S').replace(',1,Warm', ',2,Warm')], 2, 'minimum'],
  [[row('A', 'S', { group: '' })], 2, 'size'],
  [[row('A', 'S').replace('#000000', 'black')], 2, 'swatch'],
  [[row('A', 'S').replace(/900$/, '0')], 2, 'weight'],
])('%j has an error in row %d, column %s', async (lines, line, column) => {
  const { errors } = await check(header, ...lines)
  expect(errors).toContainEqual({ row: line, column, message: expect.any(String) })
})
