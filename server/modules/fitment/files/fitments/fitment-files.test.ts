import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ProductImport } from '../../../../../contract/imports.ts'
import { aBike, anAdmin, aProduct } from '../../../../../tests/factories.ts'
import { checkFile, runImport } from '../../../../../tests/product-import.ts'
import { expectConsistent, useCustomer, useTestShop } from '../../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const check = (file: string | Buffer) => checkFile(shop, admin, file, 'fitments')
const run = (dryRun: ProductImport) => runImport(shop, admin, dryRun)

const download = async (path = 'fitments.csv', query = {}) =>
  (await shop.request<string>('GET', `/api/v1/${path}`, { as: admin, query })).body

const getFitments = async (id: string) => (await shop.call('listFitments', { params: { id } })).body

async function findAnswer(product: string, bike: number): Promise<string> {
  return (await shop.call('getFit', { query: { product, bike: String(bike) } })).body.answer
}

const header = 'part_number,make,model,year_from,year_to,version,position,pieces,note,source,confirmed_on'

describe('a fitment file', () => {
  test('is checked without changes, then imported completely, with the history of its products', async () => {
    const pads = await aProduct(shop, { sku: 'P-1', name: 'Pads' })
    const disc = await aProduct(shop, { sku: 'P-2', name: 'Disc' })
    const bike = await aBike(shop, { year: 2012 })
    const dryRun = await check(
      `${header}\nP-1,Hayashi,K6,2010,2013,,front,2,"not, with ABS",Grauwerk,2026-01-31\np2,hayashi,k6,2012,,ABS,,,,,\n`,
    )
    expect(dryRun).toMatchObject({
      kind: 'fitments',
      state: 'checked',
      rows: 2,
      added: 2,
      changed: 0,
      removed: 0,
      yearsWithoutBike: 3,
      errors: [],
      changes: [
        {
          row: 2,
          name: 'Pads',
          before: { fitments: null },
          after: { fitments: '2010–2013 Hayashi K6, front, 2 per bike, not, with ABS' },
        },
        { row: 3, name: 'Disc', after: { fitments: '2012 Hayashi K6, ABS' } },
      ],
    })
    expect(await findAnswer(pads, bike)).toBe('not_confirmed')

    expect(await run(dryRun)).toMatchObject({ state: 'done', added: 2, done: 2 })
    expect((await getFitments(pads)).fitments).toEqual([
      {
        make: 'hayashi',
        model: 'k6',
        name: 'Hayashi K6',
        yearFrom: 2010,
        yearTo: 2013,
        position: 'front',
        pieces: 2,
        note: 'not, with ABS',
        source: 'Grauwerk',
        confirmedOn: '2026-01-31',
      },
    ])
    expect(await findAnswer(pads, bike)).toBe('fits')
    expect(await findAnswer(disc, bike)).toBe('fits_some')
    const history = await shop.db
      .selectFrom('product_changes')
      .select(['product_id', 'before', 'after', 'actor_id', 'client_ip'])
      .where('kind', '=', 'edited')
      .orderBy('id')
      .execute()
    expect(history).toHaveLength(2)
    expect(history).toContainEqual({
      product_id: disc,
      before: { fitments: null },
      after: { fitments: '2012 Hayashi K6, ABS' },
      actor_id: admin.id,
      client_ip: '127.0.0.1',
    })
    await expectConsistent(shop.db)
  })

  test("replaces a product's fitments from the same source only", async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const disc = await aProduct(shop, { sku: 'P-2' })
    const bike = await aBike(shop, { year: 2012 })
    await run(
      await check(
        `${header}\nP-1,Hayashi,K6,2011,2012,,front,,,A,\nP-1,Hayashi,K6,2012,,,rear,1,,A,\nP-1,Hayashi,K6,2013,,,,,,B,\nP-2,Hayashi,K6,2012,,,,,,A,\n`,
      ),
    )
    const dryRun = await check(`${header}\nP-1,Hayashi,K6,2012,,,rear,2,,A,\nP-1,Hayashi,K6,2014,,,,,,A,\n`)
    expect(dryRun).toMatchObject({ added: 1, changed: 1, unchanged: 0, removed: 1 })
    expect(await run(dryRun)).toMatchObject({ added: 1, changed: 1, removed: 1 })
    const { fitments } = await getFitments(pads)
    expect(
      fitments.map(({ yearFrom, position, pieces, source }) => [yearFrom, position, pieces, source]),
    ).toEqual([
      [2012, 'rear', 2, 'A'],
      [2013, undefined, undefined, 'B'],
      [2014, undefined, undefined, 'A'],
    ])
    expect((await getFitments(disc)).total).toBe(1)

    const none = await check(`${header}\nP-1,,,,,,,,,A,\n`)
    expect(none).toMatchObject({ removed: 2, errors: [] })
    await run(none)
    expect((await getFitments(pads)).total).toBe(1)
    expect(await findAnswer(pads, bike)).toBe('not_confirmed')
    await expectConsistent(shop.db)
  })

  test('reports errors by row and column, and cannot be imported with them', async () => {
    const gear = await aProduct(shop, { sku: 'G-1' })
    await shop.db.updateTable('products').set({ fit_kind: 'gear' }).where('id', '=', gear).execute()
    await aProduct(shop, { sku: 'P-1' })
    await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2009 })
    const rows = [
      'P-1,Yamaha,YZF-R6,2009,2008,,,,,,',
      'P-9,Yamaha,YZF-R6,2009,,,,,,,',
      'P-1,Yamaha,YZF-R9,2009,,,,,,,',
      'P-1,Yamoho,YZF-R6,2009,,,,,,,',
      `P-1,Yamaha,YZF-R6,2009,,,,100,${'x'.repeat(301)},,31.12.2025`,
      'P-1,Yamaha,,,,,,,,,',
      'P-1,Yamaha,YZF-R6,twenty,,,,,,,',
      'G-1,Yamaha,YZF-R6,2009,,,,,,,',
      'P-1,Yamaha,YZF-R6,2009,2009,,front,,,,',
      'p 1,yamaha,yzf-r6,2009,,,front,2,,shop,',
      'P-1,,,,,,,,,,',
    ]
    const dryRun = await check(`${header}\n${rows.join('\n')}\n`)
    const year = 'A year from 1900 to 2100 is needed'
    expect(dryRun.errors).toEqual([
      { row: 2, column: 'year_to', message: 'The last year is before the first year' },
      { row: 3, column: 'part_number', message: 'No product in the shop has this part number' },
      {
        row: 4,
        column: 'model',
        message: 'Yamaha has no model "YZF-R9" in the shop. Add it on the Bikes page first',
      },
      {
        row: 5,
        column: 'make',
        message: 'The shop has no make "Yamoho". Add it on the Bikes page first',
      },
      { row: 6, column: 'pieces', message: 'A whole number from 1 to 99 is needed' },
      { row: 6, column: 'note', message: 'At most 300 characters' },
      { row: 6, column: 'confirmed_on', message: 'This is not a date' },
      { row: 7, column: 'model', message: 'Model is required' },
      { row: 7, column: 'year_from', message: year },
      { row: 8, column: 'year_from', message: year },
      {
        row: 9,
        column: 'part_number',
        message: 'Universal parts and gear have no fitments. Change the fit kind of this product first',
      },
      { row: 11, column: '', message: 'Row 10 has the same fitment' },
      { row: 12, column: 'make', message: 'Row 4 has fitments of this product from this source' },
    ])
    await expect(run(dryRun)).rejects.toThrow('IMPORT_NOT_READY')
    expect((await getFitments(gear)).total).toBe(0)
  })

  test('cannot empty a list that is marked as complete, nor list more than 20,000 bikes', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    await aBike(shop)
    await run(await check(`${header}\nP-1,Hayashi,K6,2012,,,,,,,\n`))
    await shop.db.updateTable('products').set({ fit_complete: true }).where('id', '=', pads).execute()
    expect((await check(`${header}\nP-1,,,,,,,,,,\n`)).errors).toEqual([
      {
        row: 2,
        column: 'make',
        message: 'The list of bikes of this product is complete, so it needs at least one bike',
      },
    ])
    const bikes = Array.from({ length: 110 }, (_, index) => `Maker,M${index},1900,2100,,,,`)
    await runImport(
      shop,
      admin,
      await checkFile(
        shop,
        admin,
        `make,model,year_from,year_to,version,engine_cc,source,aliases\n${bikes.join('\n')}`,
        'bikes',
      ),
    )
    const rows = Array.from({ length: 110 }, (_, index) => `P-1,Maker,M${index},1900,2100,,,,,,`)
    expect((await check(`${header}\n${rows.join('\n')}`)).errors).toEqual([
      { row: 2, column: 'part_number', message: 'A product can list at most 20,000 bikes' },
    ])
  })

  test('is not imported if the catalog has changed since the check', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    await aBike(shop)
    const dryRun = await check(`${header}\nP-1,Hayashi,K6,2012,,,,,,,\n`)
    await shop.db.updateTable('products').set({ fit_kind: 'universal' }).where('id', '=', pads).execute()
    expect(await run(dryRun)).toMatchObject({
      state: 'failed',
      failure: 'The catalog changed during the import. Nothing was imported. Upload the file again.',
    })
    await expectConsistent(shop.db)
  })

  test('changes nothing when it is an export, regardless of its texts', async () => {
    const texts = ['=1', '+1', '-1', '@a', "'=1", "''+", "'a", '＝x', 'ä, "b"; c', '日本', '00123', '1e5']
    await aBike(shop, { version: 'ABS' })
    await aProduct(shop, { sku: '=1+1' })
    const plain = await aProduct(shop, { name: 'without a part number' })
    const rows = texts.map((text) => {
      const cell = `"${(/^'*[=+\-@＝]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
      return `''=1+1,Hayashi,K6,2012,2014,${cell},${cell},2,${cell},${cell},2026-02-03`
    })
    await run(await check(`${header}\n${rows.join('\n')}\n${plain},Hayashi,K6,2012,,,,,,,\n`))
    const before = await download()
    expect(before).toContain(`\n'=1+1,Hayashi,K6,2012,2014,'=1,'=1,2,'=1,'=1,2026-02-03\n`)
    for (const file of [before, await download('fitments.csv', { bom: 'true' })]) {
      const dryRun = await check(file)
      expect(dryRun).toMatchObject({
        errors: [],
        added: 0,
        changed: 0,
        removed: 0,
        unchanged: 13,
        changes: [],
      })
    }
    expect(await download()).toBe(before)
    expect(await download('fitments.csv', { format: 'ebay' })).toMatch(
      /^sku,year,make,model,trim,engine,notes\n/,
    )
  })
})

test('the export for Excel has part numbers and dates as formulas, which Excel does not change', async () => {
  await aBike(shop)
  await aProduct(shop, { sku: '00123' })
  await run(await check(`${header}\n00123,Hayashi,K6,2012,2014,,,,,,2026-02-03\n`))
  const file = await download('fitments.csv', { decimals: 'comma' })
  expect(file).toContain('\n"=""00123""";Hayashi;K6;2012;2014;;;;;shop;"=""2026-02-03"""\n')
  for (const each of [file, file.replaceAll(/"=""([^"]*)"""/g, '$1')]) {
    expect(await check(each)).toMatchObject({ errors: [], added: 0, changed: 0, removed: 0, unchanged: 1 })
  }
  expect(await download()).toContain('\n00123,Hayashi,K6,2012,2014,,,,,shop,2026-02-03\n')
})

test('the eBay export has one row per part number and bike', async () => {
  await aProduct(shop, { sku: 'P-1' })
  await aBike(shop, { year: 2012, version: 'ABS' })
  await aBike(shop, { year: 2013 })
  await run(
    await check(`${header}\nP-1,Hayashi,K6,2012,2013,,front,2,short,,\nP-1,Hayashi,K6,2012,,abs,rear,,,,\n`),
  )
  expect(await download('fitments.csv', { format: 'ebay' })).toBe(
    'sku,year,make,model,trim,engine,notes\n' +
      'P-1,2012,Hayashi,K6,,,"front, short"\n' +
      'P-1,2012,Hayashi,K6,ABS,,"front, short; rear"\n' +
      'P-1,2013,Hayashi,K6,,,"front, short"\n',
  )
})

describe('a bike file', () => {
  const bikeHeader = 'make,model,year_from,year_to,version,engine_cc,source,aliases'
  const checkBikes = (file: string) => checkFile(shop, admin, file, 'bikes')

  test('adds bikes, which list the products that fit them, and changes their data', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    await aBike(shop, { make: 'Yamaha', model: 'YZF-R6', year: 2009 })
    await run(await check(`${header}\nP-1,Yamaha,YZF-R6,2009,2016,,,,,,\n`))
    const dryRun = await checkBikes(
      `${bikeHeader}\nYamaha,YZF-R6,2009,,,599,yamaha.com,R6;r 6 \nyamaha,yzf r6,2015,2016,SP,,,\nKTM,390 Duke,2020,,,,,\n`,
    )
    expect(dryRun).toMatchObject({ errors: [], added: 5, changed: 2, unchanged: 0 })
    expect(dryRun.changes.slice(0, 2)).toEqual([
      {
        row: 2,
        name: '2009 Yamaha YZF-R6',
        before: { engine_cc: null, source: 'test' },
        after: { engine_cc: '599', source: 'yamaha.com' },
      },
      { row: 2, name: 'yamaha yzf-r6', before: { aliases: null }, after: { aliases: 'r6' } },
    ])
    expect(await run(dryRun)).toMatchObject({ state: 'done', added: 5, changed: 2 })
    const { bikes = [] } = (await shop.call('listBikes', { query: { make: 'yamaha', model: 'yzf-r6' } })).body
    expect(bikes.map(({ year, version, engineCc }) => [year, version, engineCc])).toEqual([
      [2016, '', undefined],
      [2016, 'SP', undefined],
      [2015, '', undefined],
      [2015, 'SP', undefined],
      [2009, '', 599],
    ])
    for (const { id } of bikes) expect(await findAnswer(pads, id)).toBe('fits')
    await expectConsistent(shop.db)

    const { entries } = (
      await shop.call('listAudit', { as: admin, query: { area: 'bikes', by: admin.email } })
    ).body
    const described = entries.flatMap(({ subject, changes = [] }) =>
      changes.map(({ field, before, after }) => `${subject.name}, ${field}: ${before} -> ${after}`),
    )
    expect(described.toSorted((one, other) => one.localeCompare(other))).toEqual([
      '2009 Yamaha YZF-R6, engineCc: undefined -> 599',
      '2009 Yamaha YZF-R6, source: test -> yamaha.com',
      'KTM 390 Duke, bikes: undefined -> 2020',
      'KTM 390 Duke, model: undefined -> 390 Duke',
      'KTM, make: undefined -> KTM',
      'Yamaha YZF-R6, aliases: undefined -> r6',
      'Yamaha YZF-R6, bikes: undefined -> 2015; 2015 SP; 2016; 2016 SP',
    ])
  })

  test('without a column does not change its values, and a blank cell clears one', async () => {
    await run(await checkBikes(`${bikeHeader}\nHayashi,K6,2013,,,650,hayashi.com,\n`))
    const dryRun = await checkBikes('make,model,year_from,aliases\nHayashi,K6,2013,six\nHayashi,K6,2014,\n')
    expect(dryRun).toMatchObject({ added: 1, changed: 1, unchanged: 1 })
    await run(dryRun)
    const added = 'Hayashi,K6,2014,2014,,,shop,six\n'
    expect(await download('bikes.csv')).toBe(
      `${bikeHeader}\n${added}Hayashi,K6,2013,2013,,650,hayashi.com,\n`,
    )
    await run(await checkBikes('make,model,year_from,engine_cc\nHayashi,K6,2013,\n'))
    expect(await download('bikes.csv')).toBe(`${bikeHeader}\n${added}Hayashi,K6,2013,2013,,,hayashi.com,\n`)
  })

  test('reads a cell of direction marks as a blank one', async () => {
    await run(await checkBikes('make,model,year_from,version,source\nHayashi,K6,2013,\u200e,\u200f \u200e\n'))
    expect(await download('bikes.csv')).toBe(`${bikeHeader}\nHayashi,K6,2013,2013,,,shop,\n`)
  })

  test('changes nothing when it is an export', async () => {
    await aBike(shop, { year: 2012, version: '=ABS' })
    await run(await checkBikes(`${bikeHeader}\nHayashi,K6,2013,2014,,650,=made up,k6;six\n`))
    const before = await download('bikes.csv')
    expect(before).toBe(
      `${bikeHeader}\nHayashi,K6,2014,2014,,650,'=made up,k6;six\nHayashi,K6,2013,2013,,650,'=made up,\n` +
        "Hayashi,K6,2012,2012,,,test,\nHayashi,K6,2012,2012,'=ABS,,test,\n",
    )
    expect(await checkBikes(before)).toMatchObject({
      errors: [],
      added: 0,
      changed: 0,
      unchanged: 4,
      changes: [],
    })
  })

  test('reports errors by row and column', async () => {
    await runImport(shop, admin, await checkBikes(`${bikeHeader}\nYamaha,YZF-R6,2009,,,,,r6\n`))
    const rows = [
      'Yamaha,YZF-R1,2009,2011,,,,r6',
      ',YZF-R1,2009,,,,,',
      'Yamaha,YZF-R1,2011,2010,,19,,',
      'yamaha,yzf-r1,2010,2012,,,,',
      `Yamaha,YZF-R3,1899,,${'x'.repeat(41)},,,`,
      'Yamaha,YZF-R3,2015,,,,,r3;-',
    ]
    expect((await checkBikes(`${bikeHeader}\n${rows.join('\n')}\n`)).errors).toEqual([
      { row: 2, column: 'aliases', message: 'Another bike has this name: r6' },
      { row: 3, column: 'make', message: 'Make is required' },
      { row: 4, column: 'engine_cc', message: 'A whole number from 20 to 3000 is needed' },
      { row: 5, column: 'year_from', message: 'Row 2 has the year 2010 of this bike already' },
      { row: 6, column: 'year_from', message: 'A year from 1900 to 2100 is needed' },
      { row: 6, column: 'version', message: 'At most 40 characters' },
      {
        row: 7,
        column: 'aliases',
        message: 'A name needs a letter or a digit, and has at most 40 characters',
      },
    ])
  })
})

describe('a hostile fitment file', () => {
  test.each([
    ['an unclosed quotation mark', `${header}\nP-1,Hayashi,K6,2012,,,,,"open,,\n`, /unclosed quotation mark/],
    ['another column', `${header},price\nP-1,Hayashi,K6,2012,,,,,,,,1\n`, /unknown column “price”/],
    ['no models', 'part_number,make,year_from\nP-1,Hayashi,2012\n', /the column “model” is missing/],
  ])('with %s is refused and changes nothing', async (_what, file, failure) => {
    await aProduct(shop, { sku: 'P-1' })
    await aBike(shop)
    expect(await check(file)).toMatchObject({ state: 'failed', failure: expect.stringMatching(failure) })
    const { rows } = await sql`select from fitment_import_rows`.execute(shop.db)
    expect(rows).toEqual([])
  })

  test('is read as data: control characters are errors, and formulas are texts', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    await aBike(shop)
    const { errors } = await check(
      `${header}\nP-1,Hayashi,K6,2012,,,,,a\u202eb,,\nP-1,Hayashi,K6,2013,,,,,a\u0000b,,\n`,
    )
    const message = 'This text contains characters that are not allowed'
    expect(errors).toEqual([
      { row: 2, column: 'note', message },
      { row: 3, column: 'note', message },
    ])
    await run(await check(`${header}\nP-1,Hayashi,K6,2012,,,,,=HYPERLINK(1),,\n`))
    expect((await getFitments(pads)).fitments).toMatchObject([{ note: '=HYPERLINK(1)' }])
  })

  test('with 10,000 fitments of one product is imported completely', async () => {
    const pads = await aProduct(shop, { sku: 'P-1' })
    const bike = await aBike(shop, { year: 2012 })
    const rows = Array.from({ length: 10_000 }, (_, index) => `P-1,Hayashi,K6,2012,,V${index},,,,,`)
    const dryRun = await check(`${header}\n${rows.join('\n')}\n`)
    expect(await run(dryRun)).toMatchObject({ state: 'done', added: 10_000 })
    expect((await getFitments(pads)).total).toBe(10_000)
    expect(await findAnswer(pads, bike)).toBe('fits_some')
    const { after } = await shop.db
      .selectFrom('product_changes')
      .select('after')
      .where('kind', '=', 'edited')
      .executeTakeFirstOrThrow()
    expect(after).toEqual({ fitments: expect.stringMatching(/V0;.*; and 9950 more$/) })
    const again = await check(`${header}\n${rows.join('\n')}\n`)
    expect(again).toMatchObject({ unchanged: 10_000, changes: [] })
  })
})

describe('a hostile bike file', () => {
  const bikeHeader = 'make,model,year_from,year_to,version'
  const checkBikes = (file: string | Buffer) => checkFile(shop, admin, file, 'bikes')

  test.each([
    ['a workbook', Buffer.from('PK\x03\x04'), /is an Excel workbook/],
    [
      'an end inside a quoted cell',
      `${bikeHeader}\nHayashi,K6,2012,,\nHayashi,"K7`,
      /unclosed quotation mark/,
    ],
  ])('with %s is refused and changes nothing', async (_what, file, failure) => {
    expect(await checkBikes(file)).toMatchObject({ state: 'failed', failure: expect.stringMatching(failure) })
    for (const table of ['bike_import_rows', 'bikes', 'changes']) {
      expect((await sql`select from ${sql.table(table)}`.execute(shop.db)).rows).toEqual([])
    }
  })

  test('has an error if it ends partway through a row, or has control characters', async () => {
    const { errors } = await checkBikes(`${bikeHeader}\nHayashi,K\u202e6,2012,,\nHayashi,K6,20`)
    expect(errors).toEqual([
      { row: 2, column: 'model', message: 'This text contains characters that are not allowed' },
      { row: 3, column: '', message: 'This row has 3 cells, the header has 5' },
    ])
  })

  test('cannot have more than 1,000,000 bikes', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `Hayashi,K${index},1900,2100,`)
    expect((await checkBikes(`${bikeHeader}\n${rows.join('\n')}`)).errors).toEqual([
      {
        row: 2,
        column: 'year_to',
        message: 'The years of all rows are more than 1,000,000 bikes. Divide the file',
      },
    ])
  })
})
