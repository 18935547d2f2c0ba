import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { maxFileRows } from '../../../contract/imports.ts'
import { anAdmin, aProduct } from '../../../tests/factories.ts'
import { checkFile, runImport } from '../../../tests/product-import.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const check = (file: string | Buffer) => checkFile(shop, admin, file)

const list = async () => (await shop.call('listProducts')).body

const header = 'sku,name,price,quantity,minimum,description,image'
const notAPrice = 'Enter dollars with at most two decimals, such as 12.50'
const pads = 'P-1,Brake pads,40,10,1,For the front.,/pictures/brake-pads.svg'

describe('an error', () => {
  test('is reported with row and column, and nothing can be imported', async () => {
    const rows = [
      pads,
      'P-2,,twelve,-1,0.5,x,ftp://x',
      `P-3,${'x'.repeat(201)},1,1,1,${'y'.repeat(4001)},/pictures/a.svg`,
      'P-4,Chain,1,1,1,x,/pictures/a.svg,, x',
      'p 1,Chain,1,1,1,x,/pictures/a.svg',
    ]
    const dryRun = await check(`${header}\n${rows.join('\n')}\n`)
    expect(dryRun.errors).toEqual([
      { row: 3, column: 'name', message: 'Name is required' },
      { row: 3, column: 'price', message: notAPrice },
      { row: 3, column: 'quantity', message: 'At least 0' },
      { row: 3, column: 'minimum', message: 'Enter a whole number' },
      { row: 3, column: 'image', message: 'Enter an image URL that starts with http or https' },
      { row: 4, column: 'name', message: 'At most 200 characters' },
      { row: 4, column: 'description', message: 'At most 4000 characters' },
      { row: 5, column: '', message: 'This row has 9 cells, the header has 7' },
      { row: 6, column: 'sku', message: 'Row 2 has the same part number' },
    ])
    expect(dryRun).toMatchObject({ state: 'checked', errorCount: 9 })
    const { params, as } = { params: { id: dryRun.id }, as: admin }
    expect(await shop.call('runImport', { as, params })).toMatchObject(refused('IMPORT_NOT_READY'))
    expect(await list()).toEqual([])
  })

  test('is a price with three decimals, a comma or a currency sign, but not one with cents', async () => {
    const valid = ['40', '40.0', '40.00', '12.5', '19.99', '0.01', '999999']
    const wrong: [string, string][] = [
      ['12.345', notAPrice],
      ['1.000', notAPrice],
      ['"1,000"', notAPrice],
      ['"12,50"', notAPrice],
      ['$40', notAPrice],
      ['1e21', notAPrice],
      ['0', 'At least $0.01'],
      ['-12.50', 'At least $0.01'],
      ['1000000', 'At most $999,999'],
    ]
    const rows = [...valid, ...wrong.map(([price]) => price)].map(
      (price, index) => `P-${index},Chain,${price},1,1,x,/pictures/a.svg`,
    )
    const { errors } = await check(`${header}\n${rows.join('\n')}\n`)
    expect(errors).toEqual(
      wrong.map(([, message], index) => ({ row: 2 + valid.length + index, column: 'price', message })),
    )
    await runImport(shop, admin, await check(`${header}\n${rows.slice(0, valid.length).join('\n')}\n`))
    expect((await list()).map(({ price }) => price)).toEqual([40, 40, 40, 12.5, 19.99, 0.01, 999_999])
  })

  test('is counted in the total, and only the first 1,000 are listed', async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => `P-${index},,1,1,1,x,/pictures/a.svg`)
    const dryRun = await check(`${header}\n${rows.join('\n')}`)
    expect(dryRun.errorCount).toBe(1500)
    expect(dryRun.errors).toHaveLength(1000)
    expect(dryRun.errors.at(-1)?.row).toBe(1001)
  })

  test('is a missing value of a new product; an existing product needs only the columns of the file', async () => {
    await aProduct(shop, { sku: 'P-1' })
    const dryRun = await check('sku,price\nP-1,41\nP-2,42\n')
    expect(dryRun.errors.map(({ row, column }) => `${row} ${column}`)).toEqual([
      '3 description',
      '3 image',
      '3 minimum',
      '3 name',
      '3 quantity',
    ])
  })

  test('is an id or part number that contradicts the catalog', async () => {
    const id = await aProduct(shop, { sku: 'P-1' })
    await aProduct(shop, { sku: 'P-2', name: 'Chain' })
    const dryRun = await check(`id,sku\nnone,P-9\n${id},P-2\n`)
    expect(dryRun.errors).toEqual([
      { row: 2, column: 'id', message: 'No product has this id' },
      { row: 3, column: 'sku', message: 'Another product has this part number: Chain' },
    ])
  })

  test('is reported with the row number of a spreadsheet, which counts empty rows', async () => {
    const file = `${header}\n\n${pads}\n,,,,,,\n\nP-2,,1,1,1,x,/pictures/a.svg\n`
    const { rows, errors } = await check(`${file}\n\n`)
    expect({ rows, errors }).toEqual({
      rows: 5,
      errors: [{ row: 6, column: 'name', message: 'Name is required' }],
    })
    expect((await check(`${file}"`)).failure).toBe('Row 7: unclosed quotation mark.')
  })

  test.each([
    ['nothing', '', 'The file is empty.'],
    ['only a header', `${header}\n`, 'The file has a header but no rows.'],
    ['only empty rows below the header', `${header}\n\n\n`, 'The file has a header but no rows.'],
    [
      'an empty first row',
      `\n${header}\n${pads}\n`,
      'The first row is empty. It must have the column names.',
    ],
    ['an unknown column', 'sku,shade\n1,red\n', /^Row 1: unknown column “shade”/],
    ['a column name with control characters', '\0x\u001c\u202Ey,sku\n1,2\n', /^Row 1: unknown column “xy”/],
    ['a column twice', 'sku,name,sku\n', 'Row 1: the column “sku” appears twice.'],
    [
      'no column to match products',
      'name,price\nx,1\n',
      /^Row 1: a “sku”, “id” or “gtin” column is required/,
    ],
    [
      'several unknown columns',
      'sku,shade,tone\n1,red,a\n',
      /^Row 1: unknown columns “shade”, “tone”\. Valid/,
    ],
    ['no header', `${pads}\n`, /^Row 1: unknown columns “p-1”, “brake pads”/],
    [
      'two encodings',
      Buffer.concat([Buffer.from(`${header}\nP-1,Zündkerze\n`), Buffer.from('P-2,Zündkerze\n', 'latin1')]),
      /^Row 3: this row is not UTF-8, but rows before it are/,
    ],
    [
      'the encoding of a Mac',
      Buffer.from(`${header}\n${pads.replace('Brake pads', 'Bremsbel\x8age')}\n`, 'latin1'),
      'Row 2: letters look wrong (“BremsbelŠge”). Save the file as “CSV UTF-8”.',
    ],
    ['a workbook', Buffer.from('PK\x03\x04 and so on'), /^This is an Excel workbook/],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /^This is an Excel workbook/],
    ['an unclosed quotation mark', `${header}\n${pads}\nP-2,"Chain,1\n`, 'Row 3: unclosed quotation mark.'],
    [
      'a quotation mark inside a cell',
      `${header}\nP-2,7" disc,1,1,1,x,y\n`,
      /^Row 2: unescaped quotation mark in a cell/,
    ],
    [
      'an unclosed long cell',
      `${header}\n${pads}\nP-2,"${'x'.repeat(60_000)}\n`,
      /^Row 3: the row is too long/,
    ],
    ['a very long line', 'x'.repeat(2_000_000), /^Row 1: /],
  ])('a file with %s is rejected with a reason', async (_what, file, failure) => {
    const dryRun = await check(file)
    expect(dryRun.state).toBe('failed')
    expect(dryRun.failure).toMatch(failure)
    expect(await list()).toEqual([])
  })

  test('a file with too many empty rows is rejected', async () => {
    const lines = '\n'.repeat(maxFileRows)
    expect((await check(`${header}\n${lines}${pads}\n`)).failure).toContain('at most 1,000,000 rows')
    expect((await check(`${header}\n${lines.repeat(3)}`)).failure).toContain('at most 1,000,000 rows')
  })

  test('empty rows create no error objects', async () => {
    const traces = vi.spyOn(Error, 'captureStackTrace')
    onTestFinished(() => traces.mockRestore())
    expect((await check(`${header}\n${'\n'.repeat(20_000)}${pads}\n`)).errorCount).toBe(0)
    expect(traces.mock.calls.length).toBeLessThan(1000)
  })
})
