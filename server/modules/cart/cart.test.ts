import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CartLine } from '../../../contract/cart.ts'
import { maxCartLines } from '../../../contract/limits.ts'
import type { VariantsTable } from '../../../db/catalog-schema.ts'
import { aCustomer, anAdmin, aProduct, type TestCustomer, untilDecided } from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { getCart, mergeCart, quote, setLine } from './service.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

/** Adds a jacket with sizes; returns the ids of its variants. */
async function aJacket(sizes: Record<string, Partial<VariantsTable>>): Promise<Record<string, string>> {
  const productId = await aProduct(shop, { name: 'Jacket', price: 199, quantity: 0 })
  await shop.db.updateTable('products').set({ options: 'variants' }).where('id', '=', productId).execute()
  const ids: Record<string, string> = {}
  for (const [index, [size, values]] of Object.entries(sizes).entries()) {
    const id = index === 0 ? productId : `${productId}-${size}`
    const { stock = 10, price_cents = null, ...rest } = values as { stock?: number; price_cents?: number }
    const row = { id, product_id: productId, position: index + 1, size, stock, price_cents, ...rest }
    await shop.db
      .insertInto('variants')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
    ids[size] = id
  }
  return ids
}

/** Adds 60 products at once; returns their ids. */
async function manyProducts(): Promise<string[]> {
  return Promise.all(Array.from({ length: 60 }, (_, index) => aProduct(shop, { name: `Bolt ${index}` })))
}

const toLines = (ids: string[], quantity = 1): CartLine[] => ids.map((variantId) => ({ variantId, quantity }))
const ask = (lines: object[], as?: TestCustomer) => shop.call('quoteCart', { body: { lines }, as })
const read = async (as = rider) => (await shop.call('getCart', { as })).body
const put = (variantId: string, body: object, as = rider) =>
  shop.call('setCartLine', { as, params: { variantId }, body })
const merge = (lines: object[], as = rider) => shop.call('mergeCart', { as, body: { lines } })
/** The cart as pieces by variant. */
const pieces = async (as = rider) =>
  (await read(as)).lines.map(({ variantId, quantity }) => [variantId, quantity] as const)
const remove = (id: string) =>
  shop.db.updateTable('variants').set({ removed_at: new Date() }).where('id', '=', id).execute()

describe('POST /v1/cart/quote', () => {
  const withoutCharges = {
    charges: [],
    chargesAtCheckout: false,
    hasTax: false,
    hasCoupons: false,
    delivery: '',
    shippingOptions: [],
    problems: [],
  }

  test('prices the lines of a guest and of a client with a stale token', async () => {
    const pads = await aProduct(shop, { price: 40, quantity: 10, options: 'standard' })
    const { S = '', L = '' } = await aJacket({ S: {}, L: { price_cents: 21_950, stock: 2 } })
    const lines = [
      { variantId: pads, quantity: 2, unitPrice: 40, size: 'M', colour: 'Red' },
      ...toLines([L, S]),
    ]
    const { status, body } = await ask(lines)
    expect(status).toBe(200)
    const shown = { image: '/pictures/brake-pads.svg', minimum: 1, fitKind: 'gear' }
    const common = { ...shown, productId: S, name: 'Jacket' }
    expect(body).toEqual({
      lines: [
        {
          ...shown,
          variantId: pads,
          productId: pads,
          name: 'Sintered brake pads',
          size: 'M',
          colour: 'Red',
          quantity: 2,
          unitPrice: 40,
          total: 80,
          left: 10,
        },
        { ...common, variantId: L, size: 'L', quantity: 1, unitPrice: 219.5, total: 219.5, left: 2 },
        { ...common, variantId: S, size: 'S', quantity: 1, unitPrice: 199, total: 199, left: 10 },
      ],
      total: 498.5,
      ...withoutCharges,
    })
    const stale = { id: rider.id, email: rider.email, token: 'null.and.void' }
    expect((await ask(lines, stale)).body).toEqual(body)
  })

  test('has the kind of a part, so that a warning leads to others of its kind', async () => {
    const pads = await aProduct(shop, { kind: 'Brake pads' })
    expect((await ask(toLines([pads]))).body.lines).toMatchObject([
      { kind: 'Brake pads', fitKind: 'vehicle' },
    ])
  })

  test('has the return note of a product with its name, and none for others', async () => {
    const returns = 'Not returnable once opened'
    const fluid = await aProduct(shop, { name: 'Brake fluid', returns })
    const { lines } = (await ask(toLines([fluid, await aProduct(shop)]))).body
    expect(lines.map((line) => line.returns)).toEqual(['Brake fluid: Not returnable once opened', undefined])
  })

  test('returns an empty quote for no lines', async () => {
    expect((await ask([])).body).toEqual({ lines: [], total: 0, ...withoutCharges })
  })

  test('reports one problem for each line, and drops none', async () => {
    const { S = '', M = '', L = '' } = await aJacket({ S: { stock: 3 }, M: {}, L: { stock: 0 } })
    await remove(M)
    const bolts = await aProduct(shop, { price: 2, quantity: 100, minimum: 10 })
    const rare = await aProduct(shop, { price: 2, quantity: 9, minimum: 10 })
    const gone = await aProduct(shop)
    await shop.call('deleteProduct', { as: await anAdmin(shop), query: { id: gone } })
    const { body } = await ask([
      { variantId: S, quantity: 4, unitPrice: 1 },
      { variantId: M, quantity: 1 },
      { variantId: L, quantity: 1 },
      { variantId: bolts, quantity: 9, unitPrice: 3 },
      { variantId: bolts, quantity: 1, unitPrice: 3 },
      { variantId: rare, quantity: 10 },
      { variantId: gone, quantity: 1 },
      { variantId: 'none', quantity: 1 },
      { variantId: 'a\0b', quantity: 1 },
    ])
    expect(body.lines.map(({ problem }) => problem)).toEqual([
      { code: 'OUT_OF_STOCK', left: 3 },
      { code: 'VARIANT_NOT_FOUND' },
      { code: 'OUT_OF_STOCK', left: 0 },
      { code: 'PRICE_CHANGED', was: 3 },
      { code: 'PRICE_CHANGED', was: 3 },
      { code: 'OUT_OF_STOCK', left: 0 },
      { code: 'VARIANT_NOT_FOUND' },
      { code: 'VARIANT_NOT_FOUND' },
      { code: 'VARIANT_NOT_FOUND' },
    ])
    expect(body.lines.slice(6).map(({ name, unitPrice, left }) => [name, unitPrice, left])).toEqual([
      ['Sintered brake pads', 0, 0],
      ['', 0, 0],
      ['', 0, 0],
    ])
    expect((await ask([{ variantId: bolts, quantity: 9 }])).body.lines[0]?.problem).toEqual({
      code: 'QUANTITY_NOT_MATCHED',
      minimum: 10,
    })
  })

  test('adds up the lines of one variant against its stock', async () => {
    const pads = await aProduct(shop, { quantity: 5, options: 'standard' })
    const { body } = await ask(
      ['M', 'L', 'XL'].map((size) => ({ variantId: pads, quantity: 3, size, colour: 'Red' })),
    )
    expect(body.lines.map(({ left, problem }) => [left, problem])).toEqual([
      [5, undefined],
      [2, { code: 'OUT_OF_STOCK', left: 2 }],
      [0, { code: 'OUT_OF_STOCK', left: 0 }],
    ])
  })

  test('ignores unknown sizes, and sizes of products without standard ones', async () => {
    const { L = '' } = await aJacket({ L: {} })
    const pads = await aProduct(shop)
    const choice = { size: 'XXXL', colour: 'www.x.example' }
    const { body } = await ask([
      { variantId: L, quantity: 1, ...choice },
      { variantId: pads, quantity: 1, ...choice },
    ])
    expect(body.lines.map(({ size, colour }) => [size, colour])).toEqual([
      ['L', undefined],
      [undefined, undefined],
    ])
  })

  test('refuses 51 lines, and quantities that are not whole numbers', async () => {
    const pads = await aProduct(shop)
    expect(await ask(toLines(Array.from({ length: maxCartLines + 1 }, () => pads)))).toMatchObject(
      refused('CART_TOO_LARGE'),
    )
    const wrong = { 0: 'At least 1', 1.5: 'Enter a whole number', [1e6 + 1]: 'At most 1,000,000' }
    for (const [quantity, message] of Object.entries(wrong)) {
      const fields = { 'lines.1.quantity': message }
      const lines = [...toLines([pads]), { variantId: pads, quantity: Number(quantity) }]
      expect(await ask(lines)).toMatchObject(refused('INVALID_REQUEST', { fields }))
    }
  })

  test('reads a quote of 20 lines with two statements, and a stored cart with three', async () => {
    const lines = toLines((await manyProducts()).slice(0, 20))
    await merge(lines)
    let statements = 0
    const counted = shop.db.withPlugin({
      transformQuery({ node }) {
        statements++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    expect((await quote(counted, lines)).lines).toHaveLength(20)
    expect(statements).toBe(2)
    expect((await getCart(counted, rider.id)).lines).toHaveLength(20)
    expect(statements).toBe(5)
  })
})

describe('PUT /v1/cart/lines/{variantId}', () => {
  test('sets the quantity of a line, and 0 removes it', async () => {
    const [pads, oil] = [await aProduct(shop), await aProduct(shop)]
    await put(pads, { quantity: 2 })
    await put(oil, { quantity: 1 })
    const { body } = await put(pads, { quantity: 3 })
    expect(body.lines.map(({ variantId, quantity }) => [variantId, quantity])).toEqual([
      [pads, 3],
      [oil, 1],
    ])
    expect(await read()).toEqual(body)
    expect(await read(await aCustomer(shop))).toMatchObject({ lines: [] })
    for (let times = 0; times < 2; times++) await put(pads, { quantity: 0 })
    expect(await pieces()).toEqual([[oil, 1]])
    expect((await put('none', { quantity: 0 })).status).toBe(200)
  })

  test('has a line for each choice of a product with standard options', async () => {
    const gloves = await aProduct(shop, { options: 'standard' })
    await put(gloves, { quantity: 1, size: 'M', colour: 'Blue' })
    await put(gloves, { quantity: 1, size: 'L', colour: 'Red' })
    await put(gloves, { quantity: 4, size: 'M', colour: 'Blue' })
    const choices = async () =>
      (await read()).lines.map(({ size, colour, quantity }) => [size, colour, quantity])
    expect(await choices()).toEqual([
      ['M', 'Blue', 4],
      ['L', 'Red', 1],
    ])
    await shop.db.updateTable('products').set({ options: 'none' }).execute()
    expect(await choices()).toEqual([[undefined, undefined, 5]])
    await put(gloves, { quantity: 1, addition: { id: randomUUID(), pieces: 1 } })
    expect(await choices()).toEqual([[undefined, undefined, 6]])
  })

  test.each([{}, { size: 'M' }, { colour: 'Red' }, { size: 'M', colour: 'unknown' }])(
    'refuses a product with standard options and the choice %j',
    async (choice) => {
      const gloves = await aProduct(shop, { options: 'standard' })
      expect(await put(gloves, { quantity: 1, ...choice })).toMatchObject(refused('CHOICE_REQUIRED'))
      const addition = { id: randomUUID(), pieces: 1 }
      expect(await put(gloves, { quantity: 1, addition, ...choice })).toMatchObject(
        refused('CHOICE_REQUIRED'),
      )
      const { body } = await ask([{ variantId: gloves, quantity: 1, ...choice }])
      expect(body.lines[0]?.problem).toEqual({ code: 'CHOICE_REQUIRED' })
      // A line that an earlier version has stored stays, so that nothing is lost, and can be removed.
      expect((await merge([{ variantId: gloves, quantity: 1, ...choice }])).body.lines).toMatchObject([
        { problem: { code: 'CHOICE_REQUIRED' } },
      ])
      const { size, colour } = (await read()).lines[0] ?? {}
      expect((await put(gloves, { quantity: 0, size, colour })).body.lines).toEqual([])
    },
  )

  test('accepts more than the stock, and reports it like a price that has changed since', async () => {
    const pads = await aProduct(shop, { price: 40, quantity: 2 })
    const { body } = await put(pads, { quantity: 3 })
    expect(body.lines[0]?.problem).toEqual({ code: 'OUT_OF_STOCK', left: 2 })
    await shop.db.updateTable('products').set({ price_cents: 4_250 }).execute()
    await put(pads, { quantity: 2 })
    expect((await read()).lines[0]).toMatchObject({ unitPrice: 42.5, problem: { was: 40 } })
  })

  test('refuses to add or change a variant that is not sold, and still removes it', async () => {
    const { S = '', M = '' } = await aJacket({ S: {}, M: {} })
    await put(M, { quantity: 1 })
    await remove(M)
    expect(await put('none', { quantity: 1 })).toMatchObject(refused('VARIANT_NOT_FOUND'))
    expect(await put(M, { quantity: 2 })).toMatchObject(refused('VARIANT_NOT_FOUND'))
    expect((await read()).lines).toMatchObject([{ quantity: 1, problem: { code: 'VARIANT_NOT_FOUND' } }])
    expect((await put(S, { quantity: 1 })).status).toBe(200)
    await put(M, { quantity: 0 })
    expect(await pieces()).toEqual([[S, 1]])
  })

  test('refuses invalid quantities', async () => {
    const pads = await aProduct(shop)
    for (const [quantity, message] of [
      [-1, 'At least 0'],
      [1.5, 'Enter a whole number'],
      ['1', 'Quantity is required'],
    ]) {
      const fields = { quantity: message }
      expect(await put(pads, { quantity })).toMatchObject(refused('INVALID_REQUEST', { fields }))
    }
    expect(await pieces()).toEqual([])
  })

  test('refuses the 51st line, and still changes one of the others', async () => {
    const products = await manyProducts()
    const [first = '', last = ''] = [products[0], products[maxCartLines]]
    await merge(toLines(products.slice(0, maxCartLines)))
    expect(await put(last, { quantity: 1 })).toMatchObject(refused('CART_TOO_LARGE'))
    expect((await put(first, { quantity: 7 })).body.lines).toHaveLength(maxCartLines)
    await put(first, { quantity: 0 })
    const responses = await Promise.all(
      products.slice(maxCartLines).map((id) => untilDecided(() => put(id, { quantity: 1 }))),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await pieces()).toHaveLength(maxCartLines)
  })
})

describe('POST /v1/cart/merge', () => {
  test('is the union, with the larger quantity and the price when a line was added', async () => {
    const [pads, oil, chain] = [await aProduct(shop), await aProduct(shop), await aProduct(shop)]
    await put(pads, { quantity: 2 })
    await put(oil, { quantity: 5 })
    const guest = [
      { variantId: chain, quantity: 1, unitPrice: 39 },
      { variantId: oil, quantity: 1, unitPrice: 39 },
      { variantId: pads, quantity: 3, unitPrice: 39 },
    ]
    const { body } = await merge(guest)
    expect(body.lines.map(({ variantId, quantity, problem }) => [variantId, quantity, problem])).toEqual([
      [pads, 3, undefined],
      [oil, 5, undefined],
      [chain, 1, { code: 'PRICE_CHANGED', was: 39 }],
    ])
  })

  test('changes nothing when it is repeated, even in two tabs at once', async () => {
    const products = (await manyProducts()).slice(0, 30)
    await merge(toLines(products.slice(0, 20), 2))
    const guest = toLines(products.slice(10), 3)
    const tabs = await Promise.all(
      Array.from({ length: 8 }, (_, tab) => merge(tab % 2 === 0 ? guest : guest.toReversed())),
    )
    expect(tabs.map(({ status }) => status)).toEqual(tabs.map(() => 200))
    const expected = products.map((id, index) => [id, index < 10 ? 2 : 3] as const)
    expect(new Map(await pieces())).toEqual(new Map(expected))
    await merge(guest)
    expect(await pieces()).toHaveLength(30)
  })

  test('adds up two lines of one variant with the same choice', async () => {
    const pads = await aProduct(shop, { options: 'standard' })
    for (let times = 0; times < 2; times++) {
      await merge([
        { variantId: pads, quantity: 1, size: 'unknown' },
        { variantId: pads, quantity: 2 },
        { variantId: pads, quantity: 1, size: 'M' },
      ])
    }
    expect((await read()).lines).toMatchObject([{ quantity: 3 }, { quantity: 1, size: 'M' }])
  })

  test('includes removed variants of an old cart, and skips ids that never existed', async () => {
    const { S = '', M = '' } = await aJacket({ S: {}, M: {} })
    await remove(M)
    const { status, body } = await merge([...toLines([M, 'none', S])])
    expect(status).toBe(200)
    expect(body.lines).toMatchObject([
      { variantId: M, name: 'Jacket', size: 'M', problem: { code: 'VARIANT_NOT_FOUND' } },
      { variantId: S },
    ])
  })

  test('leaves the cart as it was if it would have 51 lines', async () => {
    const products = await manyProducts()
    await merge(toLines(products.slice(0, 30), 2))
    const before = await pieces()
    const tooMany = toLines(products.slice(20, 51), 9)
    expect(await merge(tooMany)).toMatchObject(refused('CART_TOO_LARGE'))
    expect(await merge(toLines(products.slice(0, 51), 9))).toMatchObject(refused('CART_TOO_LARGE'))
    expect(await merge([{ variantId: products[0], quantity: 0 }])).toMatchObject({ status: 400 })
    expect(await pieces()).toEqual(before)
    expect((await merge(tooMany.slice(0, 30))).body.lines).toHaveLength(maxCartLines)
  })

  test('gets the pieces that several tabs add at once, and none twice', async () => {
    const pads = await aProduct(shop, { quantity: 100 })
    const ids = Array.from({ length: 8 }, () => randomUUID())
    const add = (id: string) => untilDecided(() => put(pads, { quantity: 1, addition: { id, pieces: 1 } }))
    await Promise.all(ids.map(add))
    expect(await pieces()).toEqual([[pads, 8]])
    const id = randomUUID()
    await Promise.all([add(id), add(id)])
    expect(await pieces()).toEqual([[pads, 9]])
    await merge(toLines([pads]))
    await add(id)
    expect(await pieces()).toEqual([[pads, 9]])
    await put(pads, { quantity: 2 })
    expect(await pieces()).toEqual([[pads, 2]])
  })

  test('gets the pieces of a repeated request once, although other tabs have added to the line since', async () => {
    const pads = await aProduct(shop, { quantity: 100 })
    const ids = Array.from({ length: 5 }, () => randomUUID())
    const add = (id: string) => put(pads, { quantity: 1, addition: { id, pieces: 1 } })
    for (const id of ids) await add(id)
    await merge(toLines([pads]))
    for (const id of ids) await add(id)
    expect(await pieces()).toEqual([[pads, 5]])
    for (let more = 0; more < 5; more++) await add(randomUUID())
    const lines = await shop.db.selectFrom('cart_lines').select('earlier_additions').execute()
    expect(lines.map((line) => line.earlier_additions.length)).toEqual([4])
  })

  /** Earlier tests on this database may have had some. */
  const readDeadlocks = async () => {
    const { rows } = await shop.database.pool.query<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return rows[0]?.deadlocks
  }

  test('does not deadlock with changes of lines in any order', async () => {
    const products = (await manyProducts()).slice(0, 20)
    const { db } = shop
    const before = await readDeadlocks()
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const lines = toLines(index % 2 === 0 ? products : products.toReversed(), index + 1)
        const [id = ''] = products.slice(index % 20)
        if (index % 4 === 0) return setLine(db, rider.id, id, { quantity: index % 8 === 0 ? 0 : 1 })
        return mergeCart(db, rider.id, lines)
      }),
    )
    await shop.database.pool.query('select pg_stat_force_next_flush()')
    expect(await readDeadlocks()).toBe(before)
  })
})
