import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { PartNumber } from '../../../../contract/number-texts.ts'
import { untilWaiting } from '../../../../tests/database.ts'
import { anAdmin, aProduct } from '../../../../tests/factories.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'
import { lockReplacements } from './repository.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const oem = { kind: 'oem', maker: 'Honda', number: '45251-MEE-006' } as const
const interchange = { kind: 'interchange', maker: 'Brembana', number: '07 HO 45' } as const
const old = { kind: 'supersedes', number: 'OLD-17.1' } as const

const read = async (id: string) => (await shop.call('listPartNumbers', { as: admin, params: { id } })).body

/** Saves the stored values with these changes. */
async function save(id: string, changes: { numbers?: PartNumber[]; replacedBy?: string; revision?: string }) {
  const { numbers, replacedBy, revision } = await read(id)
  const body = { numbers, replacedBy: replacedBy?._id, revision, ...changes }
  return shop.call('savePartNumbers', { as: admin, params: { id }, body })
}

const search = async (q: string) =>
  (await shop.call('listProducts', { query: { q } })).body.map(({ _id, matchedNumber }) =>
    matchedNumber ? [_id, matchedNumber] : [_id],
  )

const history = (id: string) =>
  shop.db
    .selectFrom('product_changes')
    .select(['before', 'after', 'actor_id'])
    .where('product_id', '=', id)
    .where('kind', '=', 'edited')
    .orderBy('id')
    .execute()

describe('PUT /v1/products/{id}/part-numbers', () => {
  test('saves the numbers of other makers, which the product then shows, and records the change', async () => {
    const id = await aProduct(shop)
    const { body } = await save(id, { numbers: [old, interchange, oem] })
    expect(body).toMatchObject({ numbers: [oem, interchange, old] })
    const { body: product } = await shop.call('getProduct', { params: { id } })
    expect(product).toMatchObject({ partNumbers: [oem, interchange, old] })

    await save(id, { numbers: [oem, { ...old, number: 'OLD 17 1' }] })
    expect(await history(id)).toEqual([
      {
        before: { part_numbers: null },
        after: {
          part_numbers: 'oem Honda 45251-MEE-006; interchange Brembana 07 HO 45; supersedes OLD-17.1',
        },
        actor_id: admin.id,
      },
      {
        before: { part_numbers: 'interchange Brembana 07 HO 45; supersedes OLD-17.1' },
        after: { part_numbers: 'supersedes OLD 17 1' },
        actor_id: admin.id,
      },
    ])
    const { body: audit } = await shop.call('listAudit', { as: admin, query: { subject: id } })
    expect(audit.entries[0]?.changes).toEqual([
      {
        field: 'partNumbers',
        before: 'interchange Brembana 07 HO 45; supersedes OLD-17.1',
        after: 'supersedes OLD 17 1',
      },
    ])
    const sitemapDate = () =>
      shop.db
        .selectFrom('sitemap_entries')
        .select('changed_at')
        .where('product_id', '=', id)
        .executeTakeFirstOrThrow()
    const before = await sitemapDate()
    await save(id, {})
    await save(id, { numbers: [{ ...old, maker: ' ', number: 'OLD 17 1' }, oem] })
    expect(await history(id)).toHaveLength(2)
    expect(await sitemapDate()).toEqual(before)
  })

  test('links a product with the one that replaces it, both ways, by part number or id', async () => {
    const newest = await aProduct(shop, { sku: 'NEW-1', name: 'Pads' })
    const middle = await aProduct(shop, { sku: 'MID-1', name: 'Older pads' })
    const oldest = await aProduct(shop, { sku: 'OLD-1', name: 'Oldest pads' })
    expect(await save(middle, { replacedBy: 'new 1' })).toMatchObject({
      status: 200,
      body: { replacedBy: { _id: newest, name: 'Pads', sku: 'NEW-1' } },
    })
    await save(oldest, { replacedBy: middle })
    const get = async (id: string) => (await shop.call('getProduct', { params: { id } })).body
    expect((await get(oldest)).replacedBy).toEqual({ _id: newest, name: 'Pads', sku: 'NEW-1' })
    expect((await get(newest)).replaces).toEqual([{ _id: middle, name: 'Older pads', sku: 'MID-1' }])
    expect((await get(newest)).replacedBy).toBeUndefined()
    expect(await history(middle)).toEqual([
      { before: { replaced_by: null }, after: { replaced_by: newest }, actor_id: admin.id },
    ])

    // The old product is still found, and named by its replacement, when it is deleted.
    await shop.call('deleteProduct', { as: admin, query: { id: middle } })
    expect((await get(newest)).replaces).toEqual([
      { _id: middle, name: 'Older pads', sku: 'MID-1', deleted: true },
    ])
    expect(await search('mid1')).toEqual([[newest, 'Replaces MID-1']])
    expect(await search('OLD.1')).toEqual([[oldest], [newest, 'Replaces OLD-1']])
    expect(await save(oldest, { numbers: [oem] })).toMatchObject({ status: 200 })

    await save(oldest, { replacedBy: '' })
    expect((await get(oldest)).replacedBy).toBeUndefined()
  })

  test.each([
    [{ kind: 'oem', number: 'A-1' }, 'maker', 'Maker is required'],
    [{ kind: 'interchange', maker: ' ', number: 'A-1' }, 'maker', 'Maker is required'],
    [{ ...oem, number: '' }, 'number', 'Number is required'],
    [{ ...oem, number: '---' }, 'number', 'Use at least one letter or digit'],
    [{ ...oem, number: 'x'.repeat(41) }, 'number', 'At most 40 characters'],
    [{ ...oem, maker: 'x'.repeat(81) }, 'maker', 'At most 80 characters'],
    [{ ...oem, kind: 'other' }, 'kind', 'Choose a kind'],
    [{ ...oem, number: '45251 mee.006' }, 'number', 'This number is listed twice'],
  ])('rejects %j', async (number, field, message) => {
    const id = await aProduct(shop)
    expect(await save(id, { numbers: [oem, number as PartNumber] })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', fields: { [`numbers.1.${field}`]: message } },
    })
  })

  test('rejects more than 200 numbers, an unknown replacement, a stale revision, and a deleted product', async () => {
    const id = await aProduct(shop)
    const numbers = Array.from({ length: 201 }, (_, index) => ({ ...oem, number: `H-${index}` }))
    expect(await save(id, { numbers })).toMatchObject(refused('INVALID_REQUEST'))
    expect((await save(id, { numbers: numbers.slice(1) })).status).toBe(200)
    expect(await save(id, { replacedBy: 'nothing' })).toMatchObject({
      ...refused('INVALID_REQUEST'),
      body: { fields: { replacedBy: 'No product in the shop has this part number or id' } },
    })
    const { revision } = await read(id)
    await save(id, { numbers: [oem] })
    expect(await save(id, { numbers: [], revision })).toMatchObject(refused('PART_NUMBERS_CHANGED'))
    expect((await read(id)).numbers).toEqual([oem])
    await shop.call('deleteProduct', { as: admin, query: { id } })
    expect(await save(id, { numbers: [], revision })).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })

  test('saves the same values again, even with an old revision', async () => {
    const id = await aProduct(shop)
    const other = await aProduct(shop, { sku: 'NEW-1' })
    const { revision } = await read(id)
    const edited = { numbers: [oem], replacedBy: 'new-1', revision }
    const { body: saved } = await save(id, edited)
    expect(await save(id, edited)).toMatchObject({ status: 200, body: saved })
    expect(await save(id, { ...edited, replacedBy: '' })).toMatchObject(refused('PART_NUMBERS_CHANGED'))
    expect((await read(id)).replacedBy?._id).toBe(other)
  })

  test('refuses a loop, and an eleventh product in a row', async () => {
    const ids = await Promise.all(
      Array.from({ length: 11 }, (_, index) => aProduct(shop, { name: `Pads ${index}` })),
    )
    const [first = '', second = '', third = ''] = ids
    expect(await save(first, { replacedBy: first })).toMatchObject(refused('REPLACEMENT_LOOP'))
    // From the middle, so that both ends of the chain count.
    for (const index of [4, 5, 6, 7, 8, 0, 1, 2, 3]) {
      expect((await save(ids[index] ?? '', { replacedBy: ids[index + 1] ?? '' })).status).toBe(200)
    }
    expect(await save(second, { replacedBy: first })).toMatchObject(refused('REPLACEMENT_LOOP'))
    expect(await save(third, { replacedBy: first })).toMatchObject(refused('REPLACEMENT_LOOP'))
    expect(await save(ids[9] ?? '', { replacedBy: first })).toMatchObject(refused('REPLACEMENT_LOOP'))
    for (const [id = '', replacedBy = ''] of [
      [ids[9], ids[10]],
      [ids[10], first],
    ]) {
      expect(await save(id, { replacedBy })).toMatchObject({
        status: 400,
        body: { fields: { replacedBy: 'At most 10 products can replace each other in a row' } },
      })
    }
  })

  test('saves numbers while another transaction changes replacements', async () => {
    const newest = await aProduct(shop)
    const id = await aProduct(shop)
    await save(id, { replacedBy: newest })
    await shop.db.transaction().execute(async (tx) => {
      await lockReplacements(tx)
      expect(await save(id, { numbers: [oem] })).toMatchObject({
        status: 200,
        body: { numbers: [oem], replacedBy: { _id: newest } },
      })
    })
  })

  test('refuses one of the replacements that together would form a loop at the same time', async () => {
    for (const size of [2, 3, 4]) {
      const ids = await Promise.all(Array.from({ length: size }, () => aProduct(shop)))
      const { revision } = await read(ids[0] ?? '')
      // All of them wait for the products, and continue at the same time.
      const { responses } = await shop.db.transaction().execute(async (tx) => {
        await sql`select from products where id = any(${ids}) for update`.execute(tx)
        const responses = Promise.all(
          ids.map((id, index) =>
            shop.call('savePartNumbers', {
              as: admin,
              params: { id },
              body: { numbers: [], replacedBy: ids[(index + 1) % size] ?? '', revision },
            }),
          ),
        )
        await untilWaiting(shop, size)
        return { responses }
      })
      const rejected = (await responses).filter(({ status }) => status !== 200)
      expect(rejected).toMatchObject([refused('REPLACEMENT_LOOP')])
    }
    await expectConsistent(shop.db)
  })
})

describe('the search for a part number', () => {
  test.each(['45251-MEE-006', '45251mee006', '45251 MEE 006', '45251.Mee/006', '45251mee'])(
    'finds %s of the vehicle maker, and names it',
    async (q) => {
      const id = await aProduct(shop)
      await aProduct(shop, { sku: 'GRA-1' })
      await save(id, { numbers: [oem, interchange] })
      expect(await search(q)).toEqual([[id, 'Replaces Honda 45251-MEE-006']])
    },
  )

  test('finds numbers of other makers and old ones, exact matches first, and no deleted product', async () => {
    const own = await aProduct(shop, { sku: '07HO45-X' })
    const equal = await aProduct(shop)
    const deleted = await aProduct(shop)
    await save(equal, { numbers: [interchange, old] })
    await save(deleted, { numbers: [interchange] })
    await shop.call('deleteProduct', { as: admin, query: { id: deleted } })
    expect(await search('07ho45')).toEqual([[equal, 'Equivalent to Brembana 07 HO 45'], [own]])
    expect(await search('old17-1')).toEqual([[equal, 'Replaces OLD-17.1']])
    const { body } = await shop.call('countProducts', { query: { q: '07-HO-45' } })
    expect(body.total).toBe(2)
    await save(equal, { numbers: [] })
    expect(await search('old171')).toEqual([])
  })
})
