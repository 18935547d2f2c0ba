import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ProductImport } from '../../../../../contract/imports.ts'
import { anAdmin, aProduct } from '../../../../../tests/factories.ts'
import { checkFile, runImport } from '../../../../../tests/product-import.ts'
import { useCustomer, useTestShop } from '../../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const header = 'part_number,kind,maker,number'
const check = (rows: string) => checkFile(shop, admin, `${header}\n${rows}\n`, 'part-numbers')
const run = (dryRun: ProductImport) => runImport(shop, admin, dryRun)
const read = async (id: string) =>
  (await shop.call('listPartNumbers', { as: admin, params: { id } })).body.numbers
const download = async (query = {}) =>
  (await shop.request<string>('GET', '/api/v1/part-numbers.csv', { as: admin, query })).body

describe('a part number file', () => {
  test('is checked without changes, then replaces the numbers of its products, with their history', async () => {
    const pads = await aProduct(shop, { sku: 'P-1', name: 'Pads' })
    const disc = await aProduct(shop, { sku: 'P-2', name: 'Disc' })
    const lever = await aProduct(shop, { sku: 'P-3', name: 'Lever' })
    const first = await check(
      'P-1,oem,Honda,45251-MEE-006\np1,supersedes,,OLD-1\np.2,oem,Honda,H-2\nP-3,interchange,Brembana,07HO45',
    )
    expect(first).toMatchObject({
      state: 'checked',
      added: 4,
      errors: [],
      changes: [
        {
          row: 2,
          name: 'Pads',
          before: { part_numbers: null },
          after: { part_numbers: 'oem Honda 45251-MEE-006; supersedes OLD-1' },
        },
        { row: 4, name: 'Disc' },
        { row: 5, name: 'Lever' },
      ],
    })
    expect(await read(pads)).toEqual([])
    expect(await run(first)).toMatchObject({ state: 'done', added: 4 })
    expect(await read(pads)).toEqual([
      { kind: 'oem', maker: 'Honda', number: '45251-MEE-006' },
      { kind: 'supersedes', number: 'OLD-1' },
    ])

    // One number is written in another way, one is removed, and one product has none any more.
    const second = await check('P-1,oem,Honda,45251 MEE 006\nP-1,oem,Suzuki,S-1\nP-2,,,')
    expect(second).toMatchObject({ added: 1, changed: 1, unchanged: 0, removed: 2 })
    expect(await run(second)).toMatchObject({ state: 'done', added: 1, changed: 1, removed: 2 })
    expect(await read(pads)).toEqual([
      { kind: 'oem', maker: 'Honda', number: '45251 MEE 006' },
      { kind: 'oem', maker: 'Suzuki', number: 'S-1' },
    ])
    expect(await read(disc)).toEqual([])
    expect(await read(lever)).toHaveLength(1)
    const { rows } = await sql`
      select before, after, actor_id from product_changes where product_id = ${pads} and kind = 'edited'
      order by id desc limit 1`.execute(shop.db)
    expect(rows).toEqual([
      {
        before: { part_numbers: 'oem Honda 45251-MEE-006; supersedes OLD-1' },
        after: { part_numbers: 'oem Honda 45251 MEE 006; oem Suzuki S-1' },
        actor_id: admin.id,
      },
    ])
    const found = await shop.call('listProducts', { query: { q: 's1 ' } })
    expect(found.body).toEqual([])
    expect((await shop.call('listProducts', { query: { q: '45251mee' } })).body).toMatchObject([
      { _id: pads, matchedNumber: 'Replaces Honda 45251 MEE 006' },
    ])
  })

  test('names the first 50 numbers of a product in its change and its history, and counts the others', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const numbers = Array.from({ length: 60 }, (_, index) => `H-${index + 10}`)
    const added = await check(numbers.map((number) => `P-1,oem,Honda,${number}`).join('\n'))
    const texts = numbers.slice(0, 50).map((number) => `oem Honda ${number}`)
    const described = [...texts, 'and 10 more'].join('; ')
    expect(added.changes).toMatchObject([
      { before: { part_numbers: null }, after: { part_numbers: described } },
    ])
    await run(added)
    const removed = await check('P-1,,,')
    expect(removed.changes).toMatchObject([
      { before: { part_numbers: described }, after: { part_numbers: null } },
    ])
    const { rows } = await sql`
      select after from product_changes where product_id = ${pads} and kind = 'edited'`.execute(shop.db)
    expect(rows).toEqual([{ after: { part_numbers: described } }])
  })

  test('lists errors by row and column, and then imports nothing', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    await aProduct(shop, { sku: 'P-2' })
    const tooMany = Array.from({ length: 201 }, (_, index) => `P-2,oem,Honda,H-${index}`)
    const dryRun = await check(
      [
        'X-1,oem,Honda,1',
        'P-1,other,Honda,2',
        'P-1,oem,,3',
        'P-1,oem,Honda,',
        'P-1,oem,Honda,---',
        `P-1,interchange,Brembana,${'4'.repeat(41)}`,
        'P-1,oem,Honda,45251-MEE',
        'P-1,oem,Honda,45251 mee',
        'P-1,,,',
        'P-1,,Honda,',
        ',oem,Honda,5',
        ...tooMany,
      ].join('\n'),
    )
    expect(dryRun.errors.map(({ row, column, message }) => `${row} ${column}: ${message}`)).toEqual([
      '2 part_number: No product in the shop has this part number',
      '3 kind: Use oem, interchange, supersedes',
      '4 maker: Maker is required',
      '5 number: Number is required',
      '6 number: Use at least one letter or digit',
      '7 number: At most 40 characters',
      '9 : Row 8 has the same number',
      '10 number: Row 8 has numbers of this product',
      '11 kind: Use oem, interchange, supersedes',
      '11 number: Number is required',
      '12 part_number: Part number is required',
      '13 part_number: A product can have at most 200 part numbers',
    ])
    expect(await shop.call('runImport', { as: admin, params: { id: dryRun.id } })).toMatchObject({
      body: { code: 'IMPORT_NOT_READY' },
    })
    expect(await read(pads)).toEqual([])
    const missing = await checkFile(shop, admin, 'part_number,number\nP-1,A-1\n', 'part-numbers')
    expect(missing).toMatchObject({ state: 'failed', failure: 'Row 1: the column “kind” is missing.' })
  })

  test('imports nothing if a product of the file is deleted after the check', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const disc = await aProduct(shop, { sku: 'P-2' })
    const dryRun = await check('P-1,oem,Honda,A-1\nP-2,oem,Honda,A-2')
    await shop.call('deleteProduct', { as: admin, query: { id: disc } })
    expect(await run(dryRun)).toMatchObject({ state: 'failed' })
    expect(await read(pads)).toEqual([])
  })

  test('an unchanged export changes nothing, and protects spreadsheets from formulas', async () => {
    const id = await aProduct(shop, { sku: 'P-1' })
    await run(await check('P-1,oem,=Honda,-45251\nP-1,interchange,Brembana,07HO45\nP-1,supersedes,,@1'))
    expect(await read(id)).toHaveLength(3)
    const file = await download()
    expect(file).toBe(
      `${header}\nP-1,oem,'=Honda,'-45251\nP-1,interchange,Brembana,07HO45\nP-1,supersedes,,'@1\n`,
    )
    const dryRun = await checkFile(shop, admin, file, 'part-numbers')
    expect(dryRun).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 3, errors: [] })
  })

  test('changes nothing when it is an export for Excel, which has numbers as formulas', async () => {
    await aProduct(shop, { sku: '00123' })
    await run(await check('00123,oem,BMW,11427721779'))
    const file = await download({ decimals: 'comma' })
    expect(file).toContain('\n"=""00123""";oem;BMW;"=""11427721779"""\n')
    expect(await checkFile(shop, admin, file, 'part-numbers')).toMatchObject({ unchanged: 1, errors: [] })
    expect(await download()).toBe(`${header}\n00123,oem,BMW,11427721779\n`)
  })
})
