import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { anAdmin, aProduct, someJacket } from '../../../../../tests/factories.ts'
import {
  checkFile,
  checkUndo,
  productHeader,
  productRow,
  runImport,
} from '../../../../../tests/product-import.ts'
import { expectConsistent, useCustomer, useTestShop } from '../../../../../tests/shop.ts'
import { replacePictures } from '../../pictures/service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const first = { image: '/pictures/a.svg', alt: 'The left side' }
const second = { image: '/pictures/b.svg', alt: 'The back', colour: 'Red' }
const third = { image: 'https://maker.example/c,d.jpg' }
const fourth = { image: '/pictures/d.svg' }

const toRows = (...pictures: object[]) =>
  pictures.map((picture, index) => ({ ...picture, position: index + 1 }))

/** Adds a product with three pictures. */
async function aPicturedProduct(product: Parameters<typeof aProduct>[1] = { sku: 'P-1' }): Promise<string> {
  const id = await aProduct(shop, { ...product, image: first.image })
  await replacePictures(shop.db, { id, image: first.image }, [first, second, third], null)
  return id
}
const check = (file: string) => checkFile(shop, admin, file)
const run = async (file: string) => runImport(shop, admin, await check(file))
const download = async () => (await shop.request<string>('GET', '/api/v1/products.csv', { as: admin })).body
const readProduct = async (id: string) => (await shop.call('getProduct', { params: { id } })).body
const readPictures = async (id: string) => (await readProduct(id)).pictures
const countEdits = async () =>
  (await shop.db.selectFrom('product_changes').select('id').where('kind', '=', 'edited').execute()).length

describe('the column pictures of a product file', () => {
  test('changes nothing when it is exported and imported again, for variants as well', async () => {
    const id = await aPicturedProduct()
    await aPicturedProduct(someJacket)
    await aProduct(shop)
    const before = await download()
    expect(before).toContain(`,${first.image},"${second.image}; ${third.image}",`)
    const edits = await countEdits()
    const dryRun = await check(before)
    expect(dryRun).toMatchObject({ added: 0, changed: 0, unchanged: 6, errors: [] })
    await runImport(shop, admin, dryRun)
    expect(await download()).toBe(before)
    expect(await readPictures(id)).toEqual([first, second, third])
    expect(await countEdits()).toBe(edits)
  })

  test('replaces the pictures after the first one; each keeps its text and colour while it is listed', async () => {
    const id = await aPicturedProduct()
    const dryRun = await check(`sku,pictures\nP-1,${fourth.image};${second.image} ;`)
    expect(dryRun).toMatchObject({ changed: 1, unchanged: 0, errors: [] })
    expect(dryRun.changes).toMatchObject([
      {
        before: { pictures: `${second.image}; ${third.image}` },
        after: { pictures: `${fourth.image}; ${second.image}` },
      },
    ])
    expect(await runImport(shop, admin, dryRun)).toMatchObject({ state: 'done', changed: 1 })
    expect(await readPictures(id)).toEqual([first, fourth, second])
    const change = await shop.db
      .selectFrom('product_changes')
      .select(['actor_id', 'before', 'after'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(change).toEqual({
      actor_id: admin.id,
      before: { pictures: toRows(first, second, third) },
      after: { pictures: toRows(first, fourth, second) },
    })

    await run(`sku,image,pictures\nP-1,${second.image},${first.image}`)
    expect(await readProduct(id)).toMatchObject({ image: second.image, pictures: [second, first] })
    await run('sku,pictures\nP-1,')
    expect(await readPictures(id)).toEqual([second])
    await expectConsistent(shop.db)
  })

  test('is undone with the import: the pictures come back with their order, texts and colours', async () => {
    const id = await aPicturedProduct()
    const done = await run(`sku,image,pictures\nP-1,${third.image.replace(',', '%2C')},${fourth.image}`)
    const undo = await checkUndo(shop, admin, done)
    expect(undo.changes).toMatchObject([
      {
        before: { pictures: fourth.image },
        after: { image: first.image, pictures: `${second.image}; ${third.image}` },
      },
    ])
    expect(await runImport(shop, admin, undo)).toMatchObject({ state: 'done', skipped: [] })
    expect(await readProduct(id)).toMatchObject({ image: first.image, pictures: [first, second, third] })

    const again = await run(`sku,pictures\nP-1,${fourth.image}`)
    await run('sku,pictures\nP-1,')
    const late = await checkUndo(shop, admin, again)
    expect(late.skipped).toMatchObject([{ reason: 'Changed since the import: pictures' }])
    await expectConsistent(shop.db)
  })

  describe('of a product with colours', () => {
    const blue = { ...first, colour: 'Blue' }
    const readColours = async (id: string) => (await readPictures(id))?.map(({ colour }) => colour)
    async function aColouredProduct(...pictures: (typeof blue)[]): Promise<string> {
      const variants = ['Blue', 'Red'].map((colour) => ({ colour, sku: `J-${colour}`, quantity: 0 }))
      const id = await aProduct(shop, { image: first.image, variants })
      await replacePictures(shop.db, { id, image: first.image }, pictures, null)
      return id
    }

    test.each([
      ['a renamed colour', 'sku,colour\nJ-Blue,Navy', ['Navy', 'Red']],
      ['colours that are swapped', 'sku,colour\nJ-Blue,Red\nJ-Red,Blue', ['Red', 'Blue']],
      [
        'a renamed colour and a new order',
        `sku,group,colour,image,pictures\nJ-Blue,J,Navy,${second.image},${first.image}\nJ-Red,J,Red,${second.image},${first.image}`,
        ['Red', 'Navy'],
      ],
    ])('follow %s, and come back with the undo and with its own undo', async (_title, file, expected) => {
      const id = await aColouredProduct(blue, second)
      const done = await run(file)
      expect(done).toMatchObject({ state: 'done' })
      expect(await readColours(id)).toEqual(expected)
      const undone = await runImport(shop, admin, await checkUndo(shop, admin, done))
      expect(undone).toMatchObject({ state: 'done', skipped: [] })
      expect(await readPictures(id)).toEqual([blue, second])
      const redone = await runImport(shop, admin, await checkUndo(shop, admin, undone))
      expect(redone).toMatchObject({ state: 'done', skipped: [] })
      expect(await readColours(id)).toEqual(expected)
      await expectConsistent(shop.db)
    })

    test('follow the undo of a colour that they got after the import', async () => {
      const id = await aColouredProduct()
      const done = await run('sku,colour\nJ-Blue,Navy')
      await replacePictures(shop.db, { id, image: first.image }, [{ ...blue, colour: 'Navy' }], null)
      expect(await runImport(shop, admin, await checkUndo(shop, admin, done))).toMatchObject({ skipped: [] })
      expect(await readPictures(id)).toEqual([blue])
    })
  })

  test('without it the other pictures stay, and the image is the first one', async () => {
    const id = await aPicturedProduct()
    await run(`sku,image\nP-1,${fourth.image}`)
    expect(await readProduct(id)).toMatchObject({ image: fourth.image, pictures: [fourth, second, third] })
  })

  test('shows the image once if the file has it among the other pictures', async () => {
    const id = await aPicturedProduct()
    const file = `sku,image,pictures\nP-1,${second.image},${first.image};${second.image};${fourth.image}`
    await run(file)
    expect(await readPictures(id)).toEqual([second, first, fourth])
    const { rows } = await sql`select position from product_pictures order by position`.execute(shop.db)
    expect(rows).toEqual([{ position: 1 }, { position: 2 }, { position: 3 }])
    expect(await check(file)).toMatchObject({ changed: 0, unchanged: 1, changes: [] })
    await run(`sku,image\nP-1,${first.image}`)
    expect(await readPictures(id)).toEqual([first, fourth])
    expect(await check(await download())).toMatchObject({ changed: 0, unchanged: 1, changes: [] })
    await expectConsistent(shop.db)
  })

  test('gives new products their pictures', async () => {
    const file = `${productHeader},pictures\n${productRow('N-1')},"${first.image}; ${third.image}"\n${productRow('N-2')},`
    expect(await run(file)).toMatchObject({ state: 'done', added: 2 })
    const [one, two] = (await shop.call('listProducts')).body
    const chain = { image: '/pictures/chain.svg' }
    expect(await readPictures(one?._id ?? '')).toEqual([chain, { image: first.image }, third])
    expect(await readPictures(two?._id ?? '')).toBeUndefined()
    await expectConsistent(shop.db)
  })

  test.each([
    ['ftp://a/b.jpg', 'Enter an image URL that starts with http or https'],
    [`${first.image};chain.svg`, 'Enter an image URL that starts with http or https'],
    [`${first.image}; ${first.image}`, 'A picture is listed twice'],
    [
      Array.from({ length: 12 }, (_, index) => `/pictures/p${index}.svg`).join(';'),
      'A product can have 12 pictures',
    ],
  ])('refuses %s', async (cell, message) => {
    await aProduct(shop, { sku: 'P-1' })
    const { errors } = await check(`sku,pictures\nP-1,${cell}`)
    expect(errors).toEqual([{ row: 2, column: 'pictures', message }])
  })

  test('is the same in all rows of a product', async () => {
    const { errors } = await check(
      [
        `${productHeader},pictures,group,size`,
        `${productRow('J-1')},${first.image},jacket,S`,
        `${productRow('J-2')},${second.image},jacket,M`,
      ].join('\n'),
    )
    expect(errors).toEqual([
      { row: 3, column: 'pictures', message: 'Row 2 of the same product has another value' },
    ])
  })
})
