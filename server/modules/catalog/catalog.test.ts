import { describe, expect, test } from 'vitest'
import { aCustomer, anAdmin, anOrder, aProduct, type TestCustomer } from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))

const names = (body: { name: string }[]) => body.map((product) => product.name)
const movements = (productId: string) =>
  shop.db
    .selectFrom('stock_movements')
    .select(['kind', 'quantity', 'moved_by'])
    .where('variant_id', '=', productId)
    .orderBy('id')
    .execute()

describe('GET /products', () => {
  test('returns all products to everyone, oldest first', async () => {
    await aProduct(shop, { name: 'Chain' })
    await aProduct(shop, { name: 'Axle' })
    const { status, body, headers } = await shop.call('listProducts')
    expect(status).toBe(200)
    expect(names(body)).toEqual(['Chain', 'Axle'])
    expect(headers.get('x-total-count')).toBe('2')
  })

  test.each(['Bearer null', 'Bearer undefined', 'Bearer nonsense', 'Basic Zm9v', ''])(
    'ignores the invalid credential %j',
    async (authorization) => {
      expect((await shop.call('listProducts', { headers: { authorization } })).status).toBe(200)
    },
  )

  test('returns at most 1,000 products', async () => {
    await shop.db
      .insertInto('products')
      .values(
        Array.from({ length: 1001 }, (_, index) => ({
          id: `p${index}`,
          name: 'Bolt',
          description: 'M6',
          image: '/pictures/bolt.svg',
          minimum_quantity: 1,
          stock: 1,
          price_cents: 100,
          category: null,
          supplier: null,
        })),
      )
      .execute()
    const { body, headers } = await shop.call('listProducts')
    expect(body).toHaveLength(1000)
    expect(headers.get('x-total-count')).toBe('1001')
    expect(headers.get('link')).toBe('</api/products?page=2>; rel="next"')
  })

  test('searches, filters, sorts and pages', async () => {
    await aProduct(shop, { name: 'Race chain', price: 90, category: 'Imported' })
    await aProduct(shop, { name: 'Street chain', price: 20.5, category: 'Local' })
    await aProduct(shop, { name: 'Mirror', price: 20, category: 'Local', supplier: 'Chain & Co' })
    const list = async (query: Record<string, string | number>) =>
      names((await shop.call('listProducts', { query })).body)
    expect(await list({ q: 'CHAIN', sort: 'price' })).toEqual(['Mirror', 'Street chain', 'Race chain'])
    expect(await list({ category: 'Local', sort: '-price' })).toEqual(['Street chain', 'Mirror'])
    expect(await list({ price: '0-25', sort: 'name' })).toEqual(['Mirror', 'Street chain'])
    expect(await list({ sort: 'name', page: 2, pageSize: 2 })).toEqual(['Street chain'])
    expect(await list({ page: 9, pageSize: 2 })).toEqual([])
    expect(await list({ q: '%' })).toEqual([])
  })

  test('returns how the fit of each product depends on the bike', async () => {
    for (const fitKind of ['vehicle', 'universal', 'gear'] as const) await aProduct(shop, { fitKind })
    const { body } = await shop.call('listProducts')
    expect(body.map(({ fitKind }) => fitKind)).toEqual(['vehicle', 'universal', 'gear'])
  })

  test('sorts names without regard to case, and products without a category last', async () => {
    await aProduct(shop, { name: 'bar end', category: 'Local' })
    await aProduct(shop, { name: 'Chain' })
    await aProduct(shop, { name: 'Axle', category: 'Imported' })
    const list = async (sort: string) => names((await shop.call('listProducts', { query: { sort } })).body)
    expect(await list('name')).toEqual(['Axle', 'bar end', 'Chain'])
    expect(await list('-name')).toEqual(['Chain', 'bar end', 'Axle'])
    expect(await list('category')).toEqual(['Axle', 'bar end', 'Chain'])
    expect(await list('-category')).toEqual(['bar end', 'Axle', 'Chain'])
  })

  test.each<Record<string, string | number>>([
    { page: 0 },
    { pageSize: 1001 },
    { sort: 'price_cents' },
    { category: 'Mars' },
    { page: 'one' },
  ])('rejects %j', async (query) => {
    const response = await shop.call('listProducts', { query })
    expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    expect(Object.keys(response.body.fields ?? {})).toEqual(Object.keys(query))
  })
})

describe('GET /product/{id}', () => {
  test('returns one product to everyone, with the fields of the specification', async () => {
    const id = await aProduct(shop, { category: 'Local', supplier: 'Chain & Co', minimum: 2, quantity: 7 })
    expect((await shop.call('getProduct', { params: { id } })).body).toEqual({
      _id: id,
      name: 'Sintered brake pads',
      image: '/pictures/brake-pads.svg',
      description: 'For the front.',
      category: 'Local',
      minimum: 2,
      quantity: 7,
      price: 40,
      supplier: 'Chain & Co',
      options: 'none',
      fitKind: 'vehicle',
      variants: [{ id, price: 40, quantity: 7 }],
    })
  })

  test.each(['none', "' or 1=1 --", '%00', '../../etc/passwd', 'x'.repeat(200)])(
    'is 404 for %j',
    async (id) => {
      expect(await shop.call('getProduct', { params: { id } })).toMatchObject({ status: 404 })
    },
  )
})

describe('POST /add-product', () => {
  const product = {
    name: 'Chain',
    category: 'Local',
    price: 90,
    quantity: 5,
    minimum: 1,
    description: 'X-ring',
    image: 'https://example.com/chain.jpg',
  }
  const add = (body: object, as?: TestCustomer) => shop.call('addProduct', { as, body })

  test('adds a product and records its first stock in the ledger', async () => {
    const { body } = await add(product, admin)
    expect(body).toEqual({ acknowledged: true, insertedId: expect.stringMatching(/^[0-9a-f]{24}$/) })
    expect((await shop.call('getProduct', { params: { id: body.insertedId } })).body).toMatchObject(product)
    expect(await movements(body.insertedId)).toEqual([{ kind: 'count', quantity: 5, moved_by: admin.id }])
  })

  test('accepts a product without a category', async () => {
    const { category: _, ...rest } = product
    expect((await add(rest, admin)).status).toBe(200)
  })

  test.each(['name', 'price', 'quantity', 'minimum', 'description', 'image'])(
    'requires %s',
    async (field) => {
      const response = await add({ ...product, [field]: undefined }, admin)
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', fields: { [field]: expect.any(String) } },
      })
    },
  )

  test.each([
    ['price', 0],
    ['price', 9.5],
    ['price', 1_000_000],
    ['quantity', -1],
    ['minimum', 0],
    ['name', ' '],
    ['name', 'x'.repeat(201)],
    ['name', 'Bell\u0007'],
    ['image', 'javascript:alert(1)'],
    ['category', 'Mars'],
  ])('rejects %s %j', async (field, value) => {
    const response = await add({ ...product, [field]: value }, admin)
    expect(response).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
  })
})

describe('DELETE /delete-product', () => {
  const remove = (id: string, as?: TestCustomer) => shop.call('deleteProduct', { as, query: { id } })

  test('deletes the product once, and orders keep its data', async () => {
    const id = await aProduct(shop, { name: 'Chain' })
    const order = await anOrder(shop, rider, { productId: id })
    expect((await remove(id, admin)).body).toEqual({ acknowledged: true, deletedCount: 1 })
    expect((await remove(id, admin)).body).toEqual({ acknowledged: true, deletedCount: 0 })
    expect((await shop.call('listProducts')).body).toEqual([])
    expect(await shop.call('getProduct', { params: { id } })).toMatchObject(refused('PRODUCT_NOT_FOUND'))
    const { body } = await shop.call('getOrder', { as: rider, query: { id: order } })
    expect(body).toMatchObject({ productName: 'Chain', unitPrice: 40, image: '/pictures/brake-pads.svg' })
  })
})

describe('GET /pictures', () => {
  test('renders a drawing in a tint, with a darker and a lighter tone', async () => {
    const { body, status, headers } = await shop.request('GET', '/pictures/chain/336699.svg')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(body).toContain('#336699')
    expect(body).not.toContain('{{')
  })

  test.each(['/pictures/unicorn/336699.svg', '/pictures/chain/red.svg', '/pictures/..%2Fpackage.json'])(
    'is 404 for %s',
    async (path) => {
      expect(await shop.request('GET', path)).toMatchObject(refused('NOT_FOUND'))
    },
  )
})
