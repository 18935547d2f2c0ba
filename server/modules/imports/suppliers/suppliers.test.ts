import { describe, expect, test } from 'vitest'
import type { FilePreview } from '../../../../contract/supplier-files.ts'
import { anAdmin, aProduct } from '../../../../tests/factories.ts'
import { checkFile, runImport } from '../../../../tests/product-import.ts'
import { refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const preview = async (file: string | Buffer, query: Record<string, string> = {}): Promise<FilePreview> => {
  const { body, status } = await shop.call('previewImport', {
    as: admin,
    query,
    body: Buffer.from(file),
    headers: { 'content-type': 'text/csv' },
  })
  expect(status).toBe(200)
  return body
}
const save = (columns: Record<string, string | null>, others: object = {}) =>
  shop.call('saveSupplierFile', {
    as: admin,
    params: { name: 'Grauwerk', kind: 'products' },
    body: { columns, encoding: 'auto', mode: 'existing', ...others },
  })
const check = (file: string | Buffer, mode: 'all' | 'existing' | 'deliveries' = 'existing') =>
  checkFile(shop, admin, file, 'products', mode, 'Grauwerk')

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const priceList = latin1('sep=;\r\nArt.-Nr.;Größe;UVP inkl. MwSt.;Rabattgruppe;\r\nP-1;M;12,50;A;\r\n')

describe('a preview', () => {
  test('has the rows, and a column of the shop for each name that it knows or guesses', async () => {
    const found = await preview(priceList)
    expect(found).toMatchObject({
      encoding: 'windows-1252',
      separator: ';',
      decimals: 'comma',
      header: ['Art.-Nr.', 'Größe', 'UVP inkl. MwSt.', 'Rabattgruppe', ''],
      rows: [['P-1', 'M', '12,50', 'A', '']],
      problems: [],
    })
    expect(found.columns.map(({ ours, from }) => [ours, from])).toEqual([
      ['sku', 'guess'],
      ['size', 'guess'],
      ['price', 'guess'],
      [null, undefined],
      [null, 'name'],
    ])
    expect(found.known).toContain('gtin')
  })

  test('has the stored columns of the supplier, and stores nothing', async () => {
    await save({ ' Art.-Nr.': 'sku', größe: null, 'UVP inkl. MwSt.': 'price', rabattgruppe: null })
    const { columns } = await preview(priceList, { supplier: 'Grauwerk' })
    expect(columns.map(({ ours, from }) => [ours, from])).toEqual([
      ['sku', 'saved'],
      [null, 'saved'],
      ['price', 'saved'],
      [null, 'saved'],
      [null, 'name'],
    ])
    expect((await shop.call('listImports', { as: admin })).body).toEqual([])
  })

  test.each([
    ['an empty file', '', 'The file is empty.'],
    ['a workbook', 'PK\x03\x04x', 'This is an Excel workbook. Save it as “CSV UTF-8”.'],
    [
      'columns that match no product',
      'name\nx\n',
      'a “sku”, “id” or “gtin” column is required to match products.',
    ],
    ['one column twice', 'sku,sku\nx,x\n', 'the column “sku” appears twice.'],
    ['an empty first row', '\nsku\nx\n', 'The first row is empty. It must have the column names.'],
  ])('names the problem of %s', async (_what, file, problem) => {
    expect((await preview(file)).problems).toEqual([problem])
  })

  test('reads at most ten rows of at most 64 KiB, and the last may be incomplete', async () => {
    const row = `P-1,"${'x'.repeat(9000)}\n"\n`
    const file = Buffer.from(`sku,name\n${row.repeat(9)}`).subarray(0, 65_536)
    expect((await preview(file)).rows).toHaveLength(7)
    expect((await preview(`sku\n${'P-1\n'.repeat(30)}`)).rows).toHaveLength(10)
    const long = await shop.call('previewImport', {
      as: admin,
      body: Buffer.alloc(65_537, 'x'),
      headers: { 'content-type': 'text/csv' },
    })
    expect(long).toMatchObject(refused('BODY_TOO_LARGE'))
  })

  test('can be read again in another encoding', async () => {
    const polish = Buffer.from([0x73, 0x6b, 0x75, 0x0a, 0xb3, 0xf3, 0x64, 0x9f, 0x0a])
    expect((await preview(polish)).rows).toEqual([['³ódŸ']])
    expect((await preview(polish, { encoding: 'windows-1250' })).rows).toEqual([['łódź']])
    const wrong = Buffer.from('sku;Ko\x9fle\n1;ko\x9fle\n', 'latin1')
    expect(await preview(wrong)).toMatchObject({ header: ['sku', 'KoŸle'], rows: [['1', 'koŸle']] })
    expect(await preview('\ufeffsku\nłódź\n', { encoding: 'windows-1250' })).toMatchObject({
      encoding: 'utf-8',
      rows: [['łódź']],
    })
  })
})

describe('a file of a supplier', () => {
  test('is read with the stored columns and encoding, and new products get the supplier', async () => {
    const known = await aProduct(shop, { sku: 'P-1', supplier: 'Other' })
    await save({ nummer: 'sku', preis: 'price', text: 'name', gruppe: null })
    const head = 'Nummer;Preis;Text;Gruppe;quantity;minimum;description;image'
    const file = `${head}\nP-1;12,50;Pads;=x;1;1;x;/pictures/a.svg\nP-2;13,00;Zündkerze;;1;1;x;/pictures/a.svg\n`
    const dryRun = await check(latin1(file), 'all')
    expect(dryRun).toMatchObject({ errorCount: 0, added: 1, changed: 1, supplier: 'Grauwerk' })
    await runImport(shop, admin, dryRun)
    const products = (await shop.call('listProducts')).body
    const found = products.map(({ _id, name, price, supplier }) => [_id === known, name, price, supplier])
    expect(found).toContainEqual([true, 'Pads', 12.5, 'Other'])
    expect(found).toContainEqual([false, 'Zündkerze', 13, 'Grauwerk'])
  })

  test('may have a long name, or one of two lines, of a column', async () => {
    const known = await aProduct(shop, { sku: 'P-1', price: 10 })
    const long = 'Artikelnummer des Herstellers laut aktueller Preisliste für Fachhändler'
    const file = `${long};"UVP\n(EUR)"\nP-1;12,50\n`
    const { columns } = await preview(file)
    const [number = '', price = ''] = columns.map(({ theirs }) => theirs)
    await save({ [number]: 'sku', [price]: 'price' })
    expect((await preview(file, { supplier: 'Grauwerk', kind: 'products' })).problems).toEqual([])
    await runImport(shop, admin, await check(file))
    expect((await shop.call('getProduct', { params: { id: known } })).body.price).toBe(12.5)
  })

  test('may have a name several times, and each of its columns is stored', async () => {
    const known = await aProduct(shop, { sku: 'P-1', price: 10 })
    const file = 'ArtikelNr;Preis;Preis\nP-1;12,50;8,40\n'
    const { columns } = await preview(file)
    const [sku = '', ...prices] = columns.map(({ theirs }) => theirs)
    expect(prices).toEqual(['Preis', 'Preis (2)'])
    const [first = '', second = ''] = prices
    const readPrice = async () => {
      const saved = await preview(file, { supplier: 'Grauwerk', kind: 'products' })
      expect(saved.columns.map(({ from }) => from)).toEqual(['saved', 'saved', 'saved'])
      await runImport(shop, admin, await check(file))
      return (await shop.call('getProduct', { params: { id: known } })).body.price
    }
    await save({ [sku]: 'sku', [first]: 'price', [second]: null })
    expect(await readPrice()).toBe(12.5)
    await save({ [sku]: 'sku', [first]: null, [second]: 'price' })
    expect(await readPrice()).toBe(8.4)
    await save({ [sku]: 'sku', [first]: 'price' })
    expect(await check(file)).toMatchObject({
      failure: expect.stringContaining('unknown column “preis (2)”'),
    })
  })

  test('still has an error for columns that are not stored', async () => {
    await save({ nummer: 'sku' })
    expect(await check('Nummer;Preis\nP-1;1\n')).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('unknown column “preis”'),
    })
  })

  test('is matched by GTIN if it has no part numbers, and exactly one product has it', async () => {
    const gtins = ['4006381333931', '4012345678901']
    const one = await aProduct(shop, { sku: 'P-1', gtin: gtins[0] })
    for (const sku of ['P-2', 'P-3']) await aProduct(shop, { sku, gtin: gtins[1] })
    const dryRun = await check(`gtin,price\n${gtins[0]},41\n${gtins[1]},42\n96385074,43\n`)
    expect(dryRun).toMatchObject({ changed: 1, unknown: [{ row: 4, partNumber: '96385074' }] })
    expect(dryRun.errors).toEqual([{ row: 3, column: 'gtin', message: 'Several products have this GTIN' }])
    const counted = await check(`gtin,quantity\n${gtins[0]},5\n`, 'deliveries')
    await runImport(shop, admin, counted)
    expect((await shop.call('getProduct', { params: { id: one } })).body).toMatchObject({
      sku: 'P-1',
      quantity: 15,
    })
  })

  test('with a column of part numbers is not matched by GTIN, so that a blank cell clears none', async () => {
    await aProduct(shop, { sku: 'P-1', gtin: '4006381333931' })
    expect(await check('sku,gtin,price\n,4006381333931,41\n')).toMatchObject({ changed: 0, unknownCount: 1 })
  })
})

test('suppliers are listed with their files, and saved again', async () => {
  await save({ a: 'sku' })
  await save({ b: 'sku' }, { mode: 'counts', encoding: 'windows-1250' })
  expect((await shop.call('listSuppliers', { as: admin })).body).toEqual([
    {
      name: 'Grauwerk',
      files: [{ kind: 'products', columns: { b: 'sku' }, mode: 'counts', encoding: 'windows-1250' }],
    },
  ])
  expect(await save({}, { encoding: 'latin' })).toMatchObject(refused('INVALID_REQUEST'))
})
