import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ProductImport } from '../../../../../contract/imports.ts'
import type { ProductChange, ProductChanges } from '../../../../../contract/product-changes.ts'
import type { EditedVariant } from '../../../../../contract/variants.ts'
import { anAdmin, aProduct, someJacket } from '../../../../../tests/factories.ts'
import { randomFor, shuffled } from '../../../../../tests/hardening/random.ts'
import { checkUndo, runImport, waitForImport } from '../../../../../tests/product-import.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../../../tests/shop.ts'
import { createLowStockCount } from '../../queries.ts'
import { changePrices } from './rules.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const send = (body: ProductChanges) => shop.call('changeProducts', { as: admin, body })
async function preview(
  selection: ProductChanges['selection'],
  change: ProductChange,
): Promise<ProductImport> {
  return waitForImport(shop, admin, (await send({ selection, change })).body.id)
}
const run = (checked: ProductImport) => runImport(shop, admin, checked)
const list = async (query: object = {}) =>
  (await shop.call('listAllProducts', { as: admin, query: query as never })).body
const readAny = async (id: string) => (await shop.call('getAnyProduct', { as: admin, params: { id } })).body

describe('GET /v1/products', () => {
  test('has filters for hidden and deleted products, stock, supplier, missing fitments and pictures', async () => {
    const image = '/pictures/no-picture.svg'
    const pads = await aProduct(shop, {
      name: 'Pads',
      sku: 'GW-100',
      brand: 'Grauwerk',
      supplier: 'Nord',
      image,
    })
    const disc = await aProduct(shop, { name: 'Disc', brand: 'Grauwerk', quantity: 0, fitKind: 'universal' })
    const gone = await aProduct(shop, { name: 'Lever', sku: 'LV-300' })
    await shop.call('hideProduct', { as: admin, params: { id: disc }, body: { hidden: true } })
    await shop.call('deleteProduct', { as: admin, query: { id: gone } })
    const names = async (query: object) => (await list(query)).map(({ name }: { name: string }) => name)
    expect(await names({})).toEqual(['Pads', 'Disc'])
    expect(await names({ sort: '-name' })).toEqual(['Pads', 'Disc'])
    expect(await names({ brand: ['Grauwerk'], q: 'disc' })).toEqual(['Disc'])
    expect(await names({ q: 'gw100' })).toEqual(['Pads'])
    expect(await names({ hidden: 'true' })).toEqual(['Disc'])
    expect(await names({ hidden: 'false' })).toEqual(['Pads'])
    expect(await names({ deleted: 'true' })).toEqual(['Lever'])
    expect(await names({ deleted: 'true', q: 'lv300' })).toEqual(['Lever'])
    expect(await names({ q: 'lv300' })).toEqual([])
    expect(await names({ supplier: 'Nord' })).toEqual(['Pads'])
    expect(await names({ stockAtMost: 5 })).toEqual(['Disc'])
    expect(await names({ noFitment: 'true' })).toEqual(['Pads'])
    expect(await names({ noPicture: 'true' })).toEqual(['Pads'])
    const paged = await shop.call('listAllProducts', { as: admin, query: { page: 2, pageSize: 1 } })
    expect([paged.headers.get('x-total-count'), paged.body.length]).toEqual(['2', 1])
    expect(await list({ hidden: 'true' })).toMatchObject([{ _id: disc, hidden: true }])
    expect(await readAny(gone)).toMatchObject({ name: 'Lever', deletedAt: expect.any(String) })
    expect(await readAny(pads)).toMatchObject({
      sku: 'GW-100',
      supplier: 'Nord',
      variants: [{ sku: 'GW-100' }],
    })
  })
})

describe('products with low stock', () => {
  const watch = (sku: string, low_stock: number | null) =>
    shop.db.updateTable('variants').set({ low_stock }).where('sku', '=', sku).execute()
  async function saveVariants(id: string, variants: EditedVariant[]) {
    const { headers } = await shop.call('listVariants', { as: admin, params: { id } })
    await shop.call('saveVariants', {
      as: admin,
      params: { id },
      headers: { 'if-match': headers.get('etag') ?? '' },
      body: { options: 'variants', variants },
    })
  }
  const readToday = async () => (await shop.call('getToday', { as: admin })).body.lowStock

  test('are listed, exported and counted, if their stock is watched and is not above it', async () => {
    await aProduct(shop, { name: 'Pads', sku: 'P-1', quantity: 3, supplier: 'Nord' })
    await aProduct(shop, { name: 'Disc', sku: 'P-2', quantity: 3, supplier: 'Nord' })
    await aProduct(shop, { name: 'Lever', sku: 'P-3', quantity: 0, supplier: 'Nord' })
    const sized = await aProduct(shop, { name: 'Jacket', quantity: 0, supplier: 'Sud' })
    const gone = await aProduct(shop, { name: 'Chain', sku: 'P-5', quantity: 0, supplier: 'Nord' })
    const variants = [
      { id: sized, size: 'S', sku: 'J-S', lowStock: 0 },
      { size: 'M', sku: 'J-M' },
    ]
    await saveVariants(sized, variants)
    const names = async (query: object = {}) =>
      (await list({ low: 'true', ...query })).map(({ name }: { name: string }) => name)
    await watch('P-1', 3)
    await watch('P-2', 2)
    await watch('P-5', 5)
    await shop.call('deleteProduct', { as: admin, query: { id: gone } })
    expect(await names()).toEqual(['Pads', 'Jacket'])
    expect(await names({ supplier: 'Nord' })).toEqual(['Pads'])
    expect(await readToday()).toBe(2)
    // A size that was removed is not ordered again.
    await saveVariants(sized, variants.slice(1))
    expect(await names()).toEqual(['Pads'])
    expect(await readToday()).toBe(1)
    const { body } = await shop.request<string>('GET', '/api/v1/products.csv', {
      as: admin,
      query: { low: 'true' },
    })
    const [head = '', ...rows] = body.trim().split('\n')
    expect(rows).toHaveLength(1)
    expect(rows[0]?.split(',')[head.split(',').indexOf('low_stock')]).toBe('3')
  })

  test('are counted at most once in a time', async () => {
    await aProduct(shop, { sku: 'P-1', quantity: 0 })
    await watch('P-1', 0)
    const [count, recount] = [createLowStockCount(60_000), createLowStockCount(0)]
    expect([await count(shop.db), await recount(shop.db)]).toEqual([1, 1])
    await watch('P-1', null)
    expect([await count(shop.db), await recount(shop.db)]).toEqual([1, 0])
  })
})

describe('GET /v1/products.csv', () => {
  test('exports the products that match the filters, deleted ones with the variants that they had', async () => {
    const pads = await aProduct(shop, { name: "O'Neil pads", sku: 'P-1', supplier: "O'Neil" })
    await aProduct(shop, { name: 'Disc', sku: 'P-2' })
    const gone = await aProduct(shop, { name: 'Lever', sku: 'P-3' })
    await shop.call('hideProduct', { as: admin, params: { id: pads }, body: { hidden: true } })
    await shop.call('deleteProduct', { as: admin, query: { id: gone } })
    const download = async (query: Record<string, string>) => {
      const url = `${shop.config.origin}/api/v1/products.csv?${new URLSearchParams(query)}`
      const text = await (await fetch(url, { headers: { authorization: `Bearer ${admin.token}` } })).text()
      return text.trim().split('\n').slice(1)
    }
    expect(await download({ supplier: "O'Neil" })).toEqual([
      expect.stringMatching(/^\w+,P-1,O'Neil pads,.*,yes$/),
    ])
    expect(await download({ hidden: 'false' })).toEqual([expect.stringMatching(/^\w+,P-2,Disc,/)])
    expect(await download({ deleted: 'true' })).toEqual([expect.stringMatching(/^\w+,P-3,Lever,/)])
    expect(await download({ q: 'nothing' })).toEqual([])
  })
})

describe('POST /v1/products/{id}/restore', () => {
  test('restores a product as it was, unless another one has its part number', async () => {
    const jacket = await aProduct(shop, someJacket)
    await shop.call('hideProduct', { as: admin, params: { id: jacket }, body: { hidden: true } })
    const before = await readAny(jacket)
    await shop.call('deleteProduct', { as: admin, query: { id: jacket } })
    const other = await aProduct(shop, { name: 'Other', sku: 'JM BL' })
    const restore = () => shop.call('restoreProduct', { as: admin, params: { id: jacket } })
    expect(await restore()).toMatchObject(refused('SKU_TAKEN', { product: { _id: other, name: 'Other' } }))
    expect(await readAny(jacket)).toMatchObject({ deletedAt: expect.any(String) })
    await shop.call('deleteProduct', { as: admin, query: { id: other } })
    expect((await restore()).body).toEqual(before)
    expect((await restore()).body, 'again').toEqual(before)
    await expectConsistent(shop.db)
    const missing = await shop.call('restoreProduct', { as: admin, params: { id: 'none' } })
    expect(missing).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })
})

describe('POST /v1/product-changes', () => {
  test('changes the prices of all matches after a preview, as one import that can be undone', async () => {
    const pads = await aProduct(shop, { name: 'Pads', brand: 'Grauwerk', price: 49.9 })
    const jacket = await aProduct(shop, { ...someJacket, brand: 'Grauwerk' })
    const other = await aProduct(shop, { name: 'Other', price: 49.9 })
    const checked = await preview(
      { query: { brand: ['Grauwerk'] }, total: 2 },
      { price: { percent: -10, ending: 99 } },
    )
    expect(checked).toMatchObject({
      state: 'checked',
      source: 'selection',
      fileName: 'Price −10 %, ending in .99: 2 products',
      changed: 2,
      unchanged: 0,
      skippedCount: 0,
      changes: [
        { name: 'Pads', before: { price: '49.90' }, after: { price: '44.99' } },
        { name: 'Touring jacket', before: { price: '200' }, after: { price: '179.99' } },
        { name: 'Touring jacket, XL, Blue', before: { price: '219.50' }, after: { price: '197.99' } },
      ],
    })
    expect((await readAny(pads)).price, 'nothing has changed').toBe(49.9)
    const { body: today } = await shop.call('getToday', { as: admin })
    expect(today.imports, 'a preview is no work').toEqual([])
    const done = await run(checked)
    expect(done).toMatchObject({ state: 'done', changed: 2, undoable: true })
    expect((await readAny(pads)).price).toBe(44.99)
    expect(await readAny(jacket)).toMatchObject({
      price: 179.99,
      variants: [{ price: 179.99 }, { price: 179.99 }, { price: 179.99 }, { price: 197.99 }],
    })
    expect((await readAny(other)).price).toBe(49.9)
    const { body: audit } = await shop.call('listAudit', { as: admin, query: {} })
    expect(audit.entries[0]).toMatchObject({ area: 'imports', subject: { name: done.fileName } })
    await expectConsistent(shop.db)

    await run(await checkUndo(shop, admin, done))
    expect((await readAny(pads)).price).toBe(49.9)
    expect((await readAny(jacket)).variants?.map(({ price }: { price: number }) => price)).toEqual([
      200, 200, 200, 219.5,
    ])
    await expectConsistent(shop.db)
  })

  test('hides, shows, deletes and restores, and sets or clears texts', async () => {
    const ids = [await aProduct(shop, { sku: 'P-1', brand: 'A' }), await aProduct(shop, { sku: 'P-2' })]
    const [first = ''] = ids
    await run(await preview({ ids }, { hidden: true }))
    expect(await list({ hidden: 'true' })).toHaveLength(2)
    const nothing = await preview({ ids }, { hidden: true })
    expect(nothing).toMatchObject({ changed: 0, unchanged: 2 })
    await run(await preview({ query: { hidden: 'true' }, total: 2 }, { hidden: false }))
    expect((await shop.call('getProduct', { params: { id: first } })).status).toBe(200)
    await run(await preview({ ids }, { brand: 'Grauwerk' }))
    await run(await preview({ ids }, { kind: 'Brake pads' }))
    await run(await preview({ ids }, { supplier: 'Nord' }))
    expect(await list()).toMatchObject([
      { brand: 'Grauwerk', kind: 'Brake pads', supplier: 'Nord' },
      { brand: 'Grauwerk', kind: 'Brake pads', supplier: 'Nord' },
    ])
    await run(await preview({ ids }, { supplier: '' }))
    expect((await readAny(first)).supplier).toBeUndefined()
    const before = await readAny(first)

    const deletion = await run(await preview({ ids }, { deleted: true }))
    expect(deletion).toMatchObject({ removed: 2 })
    expect(await list()).toEqual([])
    // Another product takes a part number: only that one is left out.
    const taker = await aProduct(shop, { name: 'Taker', sku: 'P-2' })
    const restored = await run(await preview({ query: {}, total: 2 }, { deleted: false }))
    expect(restored).toMatchObject({ state: 'done', added: 1, skippedCount: 1 })
    expect(await readAny(first)).toEqual(before)
    expect((await list()).map(({ _id }: { _id: string }) => _id).toSorted()).toEqual(
      [first, taker].toSorted(),
    )
    await expectConsistent(shop.db)
  })

  test('changes all matches except some', async () => {
    const kept = await aProduct(shop, { name: 'Kept', brand: 'Grauwerk' })
    const pads = await aProduct(shop, { name: 'Pads', brand: 'Grauwerk' })
    const query = { brand: ['Grauwerk'] }
    expect(
      await send({ selection: { query, total: 1, except: [kept] }, change: { hidden: true } }),
    ).toMatchObject(refused('SELECTION_CHANGED', { total: 2 }))
    expect(
      await send({ selection: { query, total: 2, except: [kept, pads] }, change: { hidden: true } }),
    ).toMatchObject(refused('NOTHING_SELECTED'))
    const done = await run(await preview({ query, total: 2, except: [kept] }, { hidden: true }))
    expect(done).toMatchObject({ fileName: 'Hide: 1 product', changed: 1 })
    expect((await list({ hidden: 'true' })).map(({ name }: { name: string }) => name)).toEqual(['Pads'])
  })

  test('leaves out what has changed since the preview, and prices that are not allowed', async () => {
    const ids = [await aProduct(shop, { name: 'Cheap', price: 2 }), await aProduct(shop, { name: 'Pads' })]
    const checked = await preview({ ids }, { price: { amount: -2 } })
    expect(checked).toMatchObject({
      changed: 1,
      skipped: [{ name: 'Cheap', reason: 'Its price would not be from $0.01 to $999,999' }],
    })
    await shop.db.updateTable('products').set({ price_cents: 5000 }).where('name', '=', 'Pads').execute()
    const done = await run(checked)
    expect(done).toMatchObject({ state: 'done', changed: 0, skippedCount: 2 })
    expect(done.skipped).toContainEqual(
      expect.objectContaining({ name: 'Pads', reason: 'Changed since the preview: price' }),
    )
  })

  test('asks to confirm large changes', async () => {
    const id = await aProduct(shop, { price: 40 })
    const checked = await preview({ ids: [id] }, { price: { percent: 900 } })
    expect(checked.warnings).toMatchObject([
      { code: 'PRICE_JUMP', count: 1, examples: [{ before: '40', after: '400' }] },
    ])
    const refusedRun = await shop.call('runImport', { as: admin, params: { id: checked.id } })
    expect(refusedRun).toMatchObject(refused('WARNINGS_NOT_ACCEPTED'))
  })

  test('refuses a selection that has changed, and changes that are not valid', async () => {
    await aProduct(shop)
    const change = { hidden: true }
    expect(await send({ selection: { query: {}, total: 2 }, change })).toMatchObject(
      refused('SELECTION_CHANGED', { total: 1 }),
    )
    for (const wrong of [
      {},
      { price: { percent: -91 } },
      { price: { percent: 1.005 } },
      { price: { percent: 1, ending: 50 } },
      { price: { percent: 1, amount: 1 } },
      { hidden: true, deleted: true },
      { stock: 1 },
    ]) {
      const { status } = await send({ selection: { ids: ['x'] }, change: wrong as never })
      expect([wrong, status]).toEqual([wrong, 400])
    }
    expect((await shop.call('listImports', { as: admin })).body).toEqual([])
  })

  // An import changes what its preview has shown, except what it leaves out.
  test.each([1, 2, 3, 4])(
    'random selections with edits between preview and run change what was shown (%i)',
    async (seed) => {
      const random = randomFor(seed, 0)
      const all: string[] = []
      for (let index = 0; index < 30; index += 1) {
        const price = random.pick([0.3, 1, 4.99, 40, 219.5])
        const sizes = [
          { size: 'M', quantity: 1 },
          { size: 'L', quantity: 1, price: price + 19.5 },
        ]
        const variants = random.chance(0.5) ? { variants: sizes } : {}
        const brand = index < 20 ? 'Grauwerk' : 'Nord'
        all.push(await aProduct(shop, { name: `P ${index}`, price, brand, ...variants }))
      }
      const byQuery = seed % 2 === 0
      const ids = (byQuery ? all : shuffled([...all], random)).slice(0, 20)
      const selection = byQuery ? { query: { brand: ['Grauwerk'] }, total: 20 } : { ids }
      const change = random.pick([
        { percent: -10, ending: 99 as const },
        { percent: 2.5 },
        { percent: -33.33, ending: 0 as const },
        { amount: -0.5 },
      ])
      const readPrices = async () => {
        const { rows } = await sql<{
          id: string
          price_cents: number
          variants: { id: string; price_cents: number | null }[]
        }>`
        select products.id, products.price_cents, coalesce((select json_agg(json_build_object('id', variants.id,
          'price_cents', variants.price_cents) order by position) from variants
          where product_id = products.id and options = 'variants'), '[]') as variants
        from products order by id`.execute(shop.db)
        return rows
      }
      const before = await readPrices()
      const checked = await preview(selection, { price: change })
      // Another result of the same query does not matter.
      for (const id of shuffled([...all], random).slice(0, 10)) {
        await sql`update products set brand = case when brand = 'Nord' then 'Grauwerk' else 'Nord' end
          where id = ${id}`.execute(shop.db)
      }
      const edited = shuffled([...all], random).slice(0, 8)
      for (const id of edited)
        await sql`update products set price_cents = 777777 where id = ${id}`.execute(shop.db)
      const present = new Map((await readPrices()).map((row) => [row.id, row]))
      const done = await run(checked)
      const expected = before.map((row) => {
        const wanted = { ...row, ...changePrices(row, change) }
        const isLeftOut = !ids.includes(row.id) || edited.includes(row.id) || wanted.price_cents < 1
        return isLeftOut ? present.get(row.id) : wanted
      })
      // The lowest price of an edited product with variants is recomputed.
      const isCompared = ({ id, variants }: { id: string; variants: object[] }) =>
        !(edited.includes(id) && variants.length > 0)
      expect((await readPrices()).filter(isCompared)).toEqual(
        expected.filter((row) => row && isCompared(row)),
      )
      expect(done.changed + done.unchanged + done.skippedCount).toBe(20)
    },
  )
})
