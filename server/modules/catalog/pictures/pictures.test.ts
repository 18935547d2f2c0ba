import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { EditedPictures } from '../../../../contract/product-pictures.ts'
import type { EditedVariant } from '../../../../contract/variants.ts'
import {
  aCheckout,
  anAdmin,
  anOrder,
  aProduct,
  readProductEtag,
  someJacket,
  untilDecided,
} from '../../../../tests/factories.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const side = { image: '/pictures/helmet-full-face/d9482b.svg', alt: 'The left side' }
const back = { image: 'https://maker.example/back.jpg' }
const front = { image: '/pictures/brake-pads.svg' }

const saveWith = (etag: string, id: string, pictures: EditedPictures['pictures']) =>
  shop.call('savePictures', {
    as: admin,
    params: { id },
    headers: { 'if-match': etag },
    body: { pictures },
  })
/** Saves the pictures of the present product. */
const save = async (id: string, pictures: EditedPictures['pictures']) =>
  saveWith(await readProductEtag(shop, admin, id), id, pictures)
const read = async (id: string) => (await shop.call('getProduct', { params: { id } })).body
const readEditable = async (id: string) =>
  (await shop.call('getEditableProduct', { as: admin, params: { id } })).body
async function editImage(id: string, image: string) {
  const { certificates: _certificates, pictures: _pictures, ...product } = await readEditable(id)
  return shop.call('editProduct', {
    as: admin,
    params: { id },
    headers: { 'if-match': await readProductEtag(shop, admin, id) },
    body: { ...product, image },
  })
}
/** Adds a jacket with three variants in Blue, one in Red, and a picture of each colour. */
async function aJacketWithPictures(): Promise<string> {
  const variants = someJacket.variants.map((each, index) => ({ ...each, sku: `J-${index}`, quantity: 0 }))
  const id = await aProduct(shop, { ...someJacket, variants })
  expect((await save(id, [{ ...front, colour: 'Blue' }, { ...side, colour: 'Red' }, back])).status).toBe(200)
  return id
}
async function saveVariants(id: string, edit: (variants: EditedVariant[]) => EditedVariant[]) {
  const { body, headers } = await shop.call('listVariants', { as: admin, params: { id } })
  const variants = edit(body.variants.map(({ quantity: _quantity, removed: _removed, ...each }) => each))
  const saved = await shop.call('saveVariants', {
    as: admin,
    params: { id },
    headers: { 'if-match': headers.get('etag') ?? '' },
    body: { options: 'variants', variants },
  })
  expect(saved.status).toBe(200)
}
const listRows = () => shop.db.selectFrom('product_pictures').selectAll().orderBy('position').execute()

describe('PUT /v1/products/{id}/pictures', () => {
  test('sets the order; the first picture is the image of product, list, cart and order', async () => {
    const id = await aProduct(shop)
    expect((await read(id)).pictures).toBeUndefined()
    const saved = await save(id, [side, { ...back, alt: ' ', colour: '' }, front])
    expect(saved).toMatchObject({ status: 200, body: { pictures: [side, back, front] } })
    expect(saved.headers.get('etag')).toBe(await readProductEtag(shop, admin, id))

    expect(await read(id)).toMatchObject({ image: side.image, pictures: [side, back, front] })
    expect(await readEditable(id)).toMatchObject({ image: side.image, pictures: [side, back, front] })
    const [listed] = (await shop.call('listProducts')).body
    expect([listed?.image, listed?.pictures]).toEqual([side.image, undefined])
    const lines = [{ variantId: id, quantity: 1 }]
    expect((await shop.call('quoteCart', { body: { lines } })).body.lines).toMatchObject([
      { image: side.image },
    ])
    const placed = await shop.call('checkOut', {
      as: admin,
      headers: { 'idempotency-key': randomUUID() },
      body: aCheckout([{ variantId: id, quantity: 1, unitPrice: 40 }]),
    })
    expect(placed.status).toBe(200)
    const order = await anOrder(shop, admin, { productId: id })
    expect((await shop.call('getOrder', { as: admin, query: { id: order } })).body.image).toBe(side.image)
    const ordered = await shop.db.selectFrom('order_lines').select('product_image').execute()
    expect(ordered.map((line) => line.product_image)).toEqual([side.image, side.image])

    await save(id, [front, side])
    expect(await read(id)).toMatchObject({ image: front.image, pictures: [front, side] })
    await expectConsistent(shop.db)
  })

  test('records what changed, and by whom', async () => {
    const id = await aProduct(shop)
    await save(id, [front, side])
    await save(id, [front, side])
    const changes = await shop.db
      .selectFrom('product_changes')
      .select(['actor_id', 'before', 'after'])
      .where('kind', '=', 'edited')
      .execute()
    expect(changes).toEqual([
      {
        actor_id: admin.id,
        before: { pictures: [front] },
        after: { pictures: [front, side] },
      },
    ])
  })

  test('a product with only its image, without a text, needs no row', async () => {
    const id = await aProduct(shop)
    await save(id, [front, side])
    await save(id, [front])
    expect(await listRows()).toEqual([])
    await save(id, [{ ...front, alt: 'Both pads' }])
    expect((await read(id)).pictures).toEqual([{ ...front, alt: 'Both pads' }])
  })

  test('the call that edits the product replaces the first picture, and with it its text', async () => {
    const id = await aProduct(shop)
    await save(id, [side, back, front])
    const etag = await readProductEtag(shop, admin, id)
    expect((await editImage(id, '/pictures/chain.svg')).status).toBe(200)
    expect((await read(id)).pictures).toEqual([{ image: '/pictures/chain.svg' }, back, front])
    expect(await saveWith(etag, id, [side])).toMatchObject(refused('PRODUCT_CHANGED'))

    // A picture that becomes the first one is not listed twice.
    await editImage(id, back.image)
    expect((await read(id)).pictures).toEqual([back, front])
    await editImage(id, side.image)
    expect((await read(id)).pictures).toEqual([side, back, front])
  })

  test("refuses another admin's stale list with the present values", async () => {
    const id = await aProduct(shop)
    const etag = await readProductEtag(shop, admin, id)
    const word = await saveWith(etag, id, [side, front])
    expect(await saveWith(etag, id, [front, back])).toMatchObject({
      ...refused('PRODUCT_CHANGED'),
      body: { product: { image: side.image, pictures: [side, front] }, etag: word.headers.get('etag') },
    })
  })

  test('of ten concurrent lists with one ETag, one is saved', async () => {
    const id = await aProduct(shop)
    const etag = await readProductEtag(shop, admin, id)
    const saved = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        untilDecided(() =>
          saveWith(etag, id, [{ image: `/pictures/${index}.svg` }, { image: `/pictures/${index}/back.svg` }]),
        ),
      ),
    )
    expect(saved.map(({ status }) => `${status}`).toSorted()).toEqual(['200', ...Array(9).fill('412')])
    const images = (await read(id)).pictures?.map(({ image }) => image) ?? []
    expect(images).toEqual([images[0], images[0]?.replace('.svg', '/back.svg')])
  })

  test.each([
    [[], { pictures: 'At least one picture' }],
    [
      Array.from({ length: 13 }, (_, index) => ({ image: `/pictures/p${index}.svg` })),
      { pictures: 'A product can have 12 pictures' },
    ],
    [[front, back, front], { 'pictures.2.image': 'This picture is listed twice' }],
    [[{ image: ' ' }], { 'pictures.0.image': 'Image is required' }],
    [
      [{ image: 'ftp://a/b.jpg' }],
      { 'pictures.0.image': 'Enter an image URL that starts with http or https' },
    ],
    [
      [front, { image: 'https://maker.example/a;b.jpg' }],
      { 'pictures.1.image': 'Write %3B instead of the semicolon' },
    ],
    [[{ ...front, alt: 'x'.repeat(201) }], { 'pictures.0.alt': 'At most 200 characters' }],
    [
      [{ ...front, alt: 'one\ntwo' }],
      { 'pictures.0.alt': 'This text contains characters that are not allowed' },
    ],
    [[{ ...front, colour: 'Red' }], { 'pictures.0.colour': 'The product is not sold in this colour' }],
  ])('refuses the pictures %j', async (pictures, fields) => {
    const id = await aProduct(shop)
    expect(await save(id, pictures)).toMatchObject(refused('INVALID_REQUEST', { fields }))
    expect(await listRows()).toEqual([])
  })

  test('takes the colours that the product is sold in', async () => {
    const jacket = await aProduct(shop, someJacket)
    const blue = { ...front, colour: 'Blue' }
    expect(await save(jacket, [blue, side])).toMatchObject({ status: 200, body: { pictures: [blue, side] } })
    expect(await save(jacket, [{ ...front, colour: 'White' }])).toMatchObject(refused('INVALID_REQUEST'))
    const standard = await aProduct(shop, { options: 'standard' })
    expect((await save(standard, [{ ...front, colour: 'White' }])).status).toBe(200)
  })

  test.each([
    ['a renamed colour', { Blue: 'Navy' }, ['Navy', 'Red']],
    ['colours that are swapped', { Blue: 'Red', Red: 'Blue' }, ['Red', 'Blue']],
    ['colours that take the name of another', { Blue: 'Red', Red: 'Wine' }, ['Red', 'Wine']],
    ['no colour that joins another', { Blue: 'Red' }, ['Blue', 'Red']],
    ['no colours that become one new colour', { Blue: 'Dark', Red: 'Dark' }, ['Blue', 'Red']],
  ])('follow %s in a save of the variants', async (_title, names: Record<string, string>, expected) => {
    const id = await aJacketWithPictures()
    const etag = await readProductEtag(shop, admin, id)
    await saveVariants(id, (all) =>
      all.map((each) => ({ ...each, size: each.sku, colour: names[each.colour ?? ''] ?? each.colour })),
    )
    expect((await read(id)).pictures?.map(({ colour }) => colour)).toEqual([...expected, undefined])
    const isCarried = expected.join() !== 'Blue,Red'
    expect((await readProductEtag(shop, admin, id)) !== etag).toBe(isCarried)
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'products' } })).body
    const logged = entries.filter(({ changes = [] }) => changes.some(({ field }) => field === 'pictures'))
    // The first entry is of the saved pictures.
    expect(logged.map(({ by }) => by?.email)).toEqual(Array(isCarried ? 2 : 1).fill(admin.email))
    await expectConsistent(shop.db)
  })

  test('keep a colour that some variants leave, or that disappears', async () => {
    const id = await aJacketWithPictures()
    const readColours = async () => (await read(id)).pictures?.map(({ colour }) => colour)
    await saveVariants(id, ([first, ...others]) => [{ ...first, colour: 'Navy' }, ...others])
    expect(await readColours()).toEqual(['Blue', 'Red', undefined])
    await saveVariants(id, (all) => all.filter(({ colour }) => colour !== 'Red'))
    expect(await readColours()).toEqual(['Blue', 'Red', undefined])
  })

  test('is 404 for an unknown or deleted product', async () => {
    const id = await aProduct(shop)
    await shop.call('deleteProduct', { as: admin, query: { id } })
    for (const missing of [id, 'none']) {
      expect(await saveWith('"x"', missing, [front])).toMatchObject(refused('PRODUCT_NOT_FOUND'))
    }
  })
})
