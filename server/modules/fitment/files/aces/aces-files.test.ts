import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ProductImport } from '../../../../../contract/imports.ts'
import { aBike, anAdmin, aProduct, someJacket } from '../../../../../tests/factories.ts'
import { checkFile, runImport } from '../../../../../tests/product-import.ts'
import { expectConsistent, useCustomer, useTestShop } from '../../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const check = (file: string | Buffer) => checkFile(shop, admin, file, 'aces')
const checkCodes = (rows: string[]) =>
  checkFile(shop, admin, `kind,id,make,model,year,value\n${rows.join('\n')}\n`, 'aces-codes')
const run = (dryRun: ProductImport) => runImport(shop, admin, dryRun)

/** The years 2009 to 2012 of the K6 have the ids 109 to 112. */
async function addCodes() {
  await aBike(shop, { year: 2012 })
  const years = [2009, 2010, 2011, 2012].map((year) => `base_vehicle,${year - 1900},Hayashi,k6,${year},`)
  await run(await checkCodes([...years, 'submodel,20,,,,ABS', 'position,22,,,,front', 'position,30,,,,rear']))
}

const getFitments = async (id: string) => (await shop.call('listFitments', { params: { id } })).body.fitments

/** The fitments of a product as texts. */
const describeAll = async (id: string) =>
  (await getFitments(id)).map(({ yearFrom, yearTo, version, position, pieces, note }) =>
    [`${yearFrom}-${yearTo}`, version, position, pieces, note].filter(Boolean).join(' '),
  )

const vehicle = (year: number) => `<BaseVehicle id="${year - 1900}"/>`
const app = (content: string, action = 'A') => `<App action="${action}" id="1">${content}</App>`
const part = (number = 'P-1', quantity = 2, brandId = '') =>
  `<Qty>${quantity}</Qty><PartType id="1684"/><Part${brandId && ` BrandAAIAID="${brandId}"`}>${number}</Part>`

function aces(
  apps: string[],
  {
    type = 'FULL',
    title = 'Pads',
    count = apps.length,
    head = '<?xml version="1.0" encoding="UTF-8"?>',
    brandId = '',
  } = {},
) {
  return `${head}
<ACES version="4.2">
<Header><Company>Grauwerk</Company><DocumentTitle>${title}</DocumentTitle><SubmissionType>${type}</SubmissionType>${brandId && `<BrandAAIAID>${brandId}</BrandAAIAID>`}</Header>
${apps.join('\n')}
<Footer><RecordCount>${count}</RecordCount></Footer>
</ACES>`
}

describe('a file with ACES codes', () => {
  test('adds codes and changes them, and an unchanged file changes nothing', async () => {
    await aBike(shop)
    const rows = ['base_vehicle,1,Hayashi,K6,2012,', 'submodel,1,,,,ABS', 'position,1,,,,front']
    const first = await checkCodes(rows)
    expect(first).toMatchObject({ errors: [], added: 3, changed: 0, unchanged: 0 })
    expect(first.changes[0]).toEqual({
      row: 2,
      name: 'base vehicle 1',
      before: { meaning: null },
      after: { meaning: '2012 Hayashi K6' },
    })
    expect(await run(first)).toMatchObject({ state: 'done', added: 3 })
    expect(await checkCodes(rows)).toMatchObject({ added: 0, changed: 0, unchanged: 3, changes: [] })
    const changed = await checkCodes(['base_vehicle,1,hayashi,k6,2013,', 'submodel,2,,,,SP'])
    expect(changed).toMatchObject({ added: 1, changed: 1, unchanged: 0 })
    await run(changed)
    const { rows: codes } = await sql`select kind, id, year, value from aces_codes order by kind, id`.execute(
      shop.db,
    )
    expect(codes).toEqual([
      { kind: 'base_vehicle', id: 1, year: 2013, value: null },
      { kind: 'position', id: 1, year: null, value: 'front' },
      { kind: 'submodel', id: 1, year: null, value: 'ABS' },
      { kind: 'submodel', id: 2, year: null, value: 'SP' },
    ])
  })

  test('is in the audit: one row for the added codes of each kind, and one for the changed ones', async () => {
    await aBike(shop)
    await run(await checkCodes(['base_vehicle,1,Hayashi,K6,2012,', 'submodel,1,,,,ABS', 'submodel,2,,,,GT']))
    const many = Array.from({ length: 60 }, (_, index) => `submodel,${index + 10},,,,V${index}`)
    await run(await checkCodes(['submodel,1,,,,SP', 'submodel,2,,,,GT', ...many]))
    const { body } = await shop.call('listAudit', { as: admin, query: { area: 'aces-codes' } })
    expect(body.entries).toMatchObject(
      [{}, {}, {}, {}].map(() => ({ by: { email: admin.email }, ip: '127.0.0.1' })),
    )
    const rows = body.entries.map(({ kind, subject, changes }) => [kind, subject.name, ...(changes ?? [])])
    const listed = expect.stringMatching(/^10: V0; .*; 59: V49; and 10 more$/)
    const latest = [
      ['added', 'submodel', { field: 'codes', after: listed }],
      ['edited', 'submodel', { field: 'codes', before: '1: ABS', after: '1: SP' }],
    ]
    const first = [
      ['added', 'base vehicle', { field: 'codes', after: '1: 2012 Hayashi K6' }],
      ['added', 'submodel', { field: 'codes', after: '1: ABS; 2: GT' }],
    ]
    expect(rows.slice(0, 2)).toEqual(expect.arrayContaining(latest))
    expect(rows.slice(2)).toEqual(expect.arrayContaining(first))
  })

  test('reports errors by row and column', async () => {
    await aBike(shop)
    const { errors } = await checkCodes([
      'engine,1,,,,x',
      'base_vehicle,0,Hayashi,K6,2012,',
      'base_vehicle,1,Hayashi,,1899,',
      'base_vehicle,2,Hayashi,,2012,ABS',
      'base_vehicle,3,Hayashi,K7,2012,',
      'submodel,4,,,2012,',
      'submodel,5,,,,=ABS',
      'submodel,5,,,,SP',
      'brand,AB1,,,,Grauwerk',
      'brand,ABCD,,,,Nobody',
      'submodel,ABCD,,,,SP',
      `position,6,,,,${'x'.repeat(41)}`,
    ])
    expect(errors).toEqual([
      { row: 2, column: 'kind', message: 'Valid kinds are base_vehicle, submodel, position, brand' },
      { row: 3, column: 'id', message: 'A whole number from 1 to 2147483647 is needed' },
      { row: 4, column: 'year', message: 'A year from 1900 to 2100 is needed' },
      { row: 5, column: 'model', message: 'A base vehicle needs this value' },
      { row: 5, column: 'value', message: 'A base vehicle has no such value' },
      {
        row: 6,
        column: 'model',
        message: 'Hayashi has no model "K7" in the shop. Add it on the Bikes page first',
      },
      { row: 7, column: 'value', message: 'A submodel needs this value' },
      { row: 7, column: 'year', message: 'A submodel has no such value' },
      { row: 9, column: 'id', message: 'Row 8 has the same id' },
      { row: 10, column: 'id', message: 'A brand id has four letters' },
      { row: 11, column: 'value', message: 'The shop has no products of the brand "Nobody"' },
      { row: 12, column: 'id', message: 'A whole number from 1 to 2147483647 is needed' },
      { row: 13, column: 'value', message: 'At most 40 characters' },
    ])
  })
})

describe('an ACES file', () => {
  test('with three wrong applications is refused with their lines and elements, and the corrected one is imported whole', async () => {
    await addCodes()
    const pads = await aProduct(shop, { sku: 'P-1', name: 'Pads' })
    const right = [
      app(
        `${vehicle(2009)}<SubModel id="20"/><Note>not with\n SP </Note><Note>short</Note>${part()}<Position id="22"/>`,
      ),
      app(`${vehicle(2012)}<MfrLabel>Pro</MfrLabel>${part('p1', 1)}`),
    ]
    const wrong = [
      app(`<BaseVehicle id="999"/>${part()}`),
      app(`${vehicle(2010)}<Qual id="53"><param value="1"/><text>x</text></Qual>${part()}`),
      app(`${vehicle(2011)}\n${part('P-9')}`),
    ]
    const refused = await check(aces([...right, ...wrong]))
    expect(refused).toMatchObject({ kind: 'aces', state: 'checked', rows: 5, errorCount: 3 })
    expect(refused.errors).toEqual([
      {
        row: 3,
        line: 7,
        column: 'BaseVehicle',
        message: 'The shop has no ACES code for the base vehicle 999',
      },
      {
        row: 4,
        line: 8,
        column: 'Qual',
        message:
          'The shop cannot store this limit of the fit, and the part would fit more bikes without it. Remove the application',
      },
      { row: 5, line: 9, column: 'Part', message: 'No product in the shop has this part number' },
    ])
    await expect(run(refused)).rejects.toThrow('IMPORT_NOT_READY')
    expect(await getFitments(pads)).toEqual([])

    const dryRun = await check(aces(right))
    expect(dryRun).toMatchObject({
      state: 'checked',
      errors: [],
      added: 2,
      changed: 0,
      removed: 0,
      yearsWithoutBike: 1,
    })
    expect(await run(dryRun)).toMatchObject({ state: 'done', added: 2 })
    expect(await getFitments(pads)).toMatchObject([
      {
        yearFrom: 2009,
        yearTo: 2009,
        version: 'ABS',
        position: 'front',
        pieces: 2,
        source: 'ACES: Grauwerk, Pads',
      },
      { yearFrom: 2012, yearTo: 2012, pieces: 1 },
    ])
    const { entries } = (await shop.call('listAudit', { as: admin, query: { subject: pads } })).body
    expect(entries[0]).toMatchObject({ kind: 'edited', by: { email: admin.email } })
    expect(await check(aces(right))).toMatchObject({ unchanged: 2, added: 0, removed: 0, changes: [] })
    await expectConsistent(shop.db)
  })

  test('joins consecutive years with equal values, and part numbers of one product', async () => {
    await addCodes()
    const jacket = await aProduct(shop, { ...someJacket, kind: 'Covers' })
    await sql`update variants set sku = 'S-' || position where product_id = ${jacket}`.execute(shop.db)
    const years = [2009, 2010, 2012]
    const apps = ['S-1', 'S-2'].flatMap((sku) => years.map((year) => app(`${vehicle(year)}${part(sku)}`)))
    const dryRun = await check(aces([...apps, app(`${vehicle(2011)}${part('S-1', 1)}`)]))
    expect(dryRun).toMatchObject({ errors: [], rows: 7, added: 3 })
    await run(dryRun)
    expect(await describeAll(jacket)).toEqual(['2009-2010 2', '2011-2011 1', '2012-2012 2'])
  })

  test('that is FULL replaces all fitments of its source, even of products that it lacks', async () => {
    await addCodes()
    const [pads, disc] = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    await run(await check(aces([2009, 2010].map((year) => app(`${vehicle(year)}${part()}`)))))
    await run(await check(aces([app(`${vehicle(2009)}${part('P-2')}`)], { title: 'Discs' })))
    const dryRun = await check(aces([app(`${vehicle(2011)}${part('P-2')}`)]))
    expect(dryRun).toMatchObject({ errors: [], added: 1, removed: 1 })
    expect(dryRun.changes.map(({ row }) => row)).toEqual([1, 0])
    await run(dryRun)
    expect(await describeAll(pads)).toEqual([])
    expect(await describeAll(disc)).toEqual(['2009-2009 2', '2011-2011 2'])

    await sql`update products set fit_complete = true where id = ${disc}`.execute(shop.db)
    await run(await check(aces([app(`${vehicle(2011)}${part()}`)])))
    const emptying = await check(aces([app(`${vehicle(2011)}${part()}`)], { title: 'Discs' }))
    expect(emptying.errors).toEqual([
      {
        row: 0,
        column: 'SubmissionType',
        message: 'P-2: The list of bikes of this product is complete, so it needs at least one bike',
      },
    ])
    await expectConsistent(shop.db)
  })

  test('that is UPDATE adds and deletes applications, and splits years', async () => {
    await addCodes()
    const [pads, disc] = [await aProduct(shop, { sku: 'P-1' }), await aProduct(shop, { sku: 'P-2' })]
    const all = [2009, 2010, 2011, 2012].map((year) => app(`${vehicle(year)}${part()}`))
    await run(await check(aces([...all, app(`${vehicle(2009)}${part('P-2')}`)])))
    const update = [
      app(`${vehicle(2010)}${part()}`, 'D'),
      app(`${vehicle(2011)}${part()}`, 'D'),
      app(`${vehicle(2011)}${part('P-1', 4)}`),
      app(`${vehicle(2009)}${part('P-2')}`, 'D'),
    ]
    const dryRun = await check(aces(update, { type: 'UPDATE' }))
    expect(dryRun).toMatchObject({ errors: [], added: 3, removed: 2 })
    await run(dryRun)
    expect(await describeAll(pads)).toEqual(['2009-2009 2', '2011-2011 4', '2012-2012 2'])
    expect(await describeAll(disc)).toEqual([])
    expect((await check(aces(update, { type: 'UPDATE' }))).errors).toEqual([
      { row: 1, line: 4, column: 'App', message: 'The product has no such fitment from this source' },
      { row: 4, line: 7, column: 'App', message: 'The product has no such fitment from this source' },
    ])
    await expectConsistent(shop.db)
  })

  test('is not imported if the fitments of its source have changed since the check', async () => {
    await addCodes()
    const pads = await aProduct(shop, { sku: 'P-1' })
    await run(await check(aces([app(`${vehicle(2009)}${part()}`)])))
    const dryRun = await check(aces([app(`${vehicle(2009)}${part()}`, 'D')], { type: 'UPDATE' }))
    await sql`delete from fitments where product_id = ${pads}`.execute(shop.db)
    expect(await run(dryRun)).toMatchObject({
      state: 'failed',
      failure: 'The catalog changed during the import. Nothing was imported. Upload the file again.',
    })
  })

  test('reports wrong applications by element', async () => {
    await addCodes()
    await aProduct(shop, { sku: 'P-1' })
    const gear = await aProduct(shop, { sku: 'G-1' })
    await sql`update products set fit_kind = 'gear' where id = ${gear}`.execute(shop.db)
    const { errors } = await check(
      aces([
        app(`${vehicle(2009)}${part()}`),
        app(`${vehicle(2009)}${part('P-1', 1)}`),
        app(`<Years from="2009" to="2010"/><Make id="1"/>${part()}`),
        app(`<BaseVehicle/>${part()}`),
        app(part()),
        app(`${vehicle(2010)}${vehicle(2011)}<EngineBase id="1"/><Qty>0</Qty><Part> </Part>`),
        app(`${vehicle(2010)}<SubModel id="21"/><Position id="99"/><Note>${'x'.repeat(301)}</Note>${part()}`),
        app(`${vehicle(2010)}<SubModel id="21"/><Position id="99"/>${part()}`),
        app(`${vehicle(2010)}${part()}`, 'D'),
        app(`${vehicle(2010)}${part()}`, 'X'),
        app(`${vehicle(2010)}<Note>a&#x202e;b</Note>${part()}`),
        app(`${vehicle(2010)}${part('G-1')}`),
        app(`${vehicle(2012)}<__proto__/>${part()}`),
      ]),
    )
    const limit =
      'The shop cannot store this limit of the fit, and the part would fit more bikes without it. Remove the application'
    const expected = [
      [2, 'App', 'Application 1 has the same vehicle, part and position'],
      [3, 'Make', 'Only applications with a base vehicle are supported'],
      [3, 'Years', 'Only applications with a base vehicle are supported'],
      [4, 'BaseVehicle', 'The attribute “id” is not a number'],
      [5, 'BaseVehicle', 'The element is missing'],
      [6, 'BaseVehicle', 'This element appears twice'],
      [6, 'EngineBase', limit],
      [6, 'Part', 'Part number is required'],
      [6, 'Qty', 'A whole number from 1 to 99 is needed'],
      [7, 'Note', 'At most 300 characters'],
      [8, 'Position', 'The shop has no ACES code for the position 99'],
      [8, 'SubModel', 'The shop has no ACES code for the submodel 21'],
      [9, 'App', 'A file with all applications cannot delete one'],
      [10, 'App', 'The attribute “action” is not A or D'],
      [11, 'Note', 'This text contains characters that are not allowed'],
      [12, 'Part', 'Universal parts and gear have no fitments. Change the fit kind of this product first'],
      [13, '__proto__', limit],
    ].map(([row, column, message]) => ({ row, line: 3 + Number(row), column, message }))
    const key = ({ row, column }: { row: number; column: string }) => `${String(row).padStart(3)} ${column}`
    expect(errors.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))).toEqual(expected)
  })

  test('fits only products of the brand that it names, and lists what it leaves out', async () => {
    await addCodes()
    const ours = await aProduct(shop, { sku: 'P-1', brand: 'Grauwerk' })
    const other = await aProduct(shop, { sku: 'P-2', brand: 'Corvane' })
    const noBrand = await aProduct(shop, { sku: 'P-3' })
    await run(await checkCodes(['brand,grau,,,,Grauwerk', 'brand,CORV,,,,Corvane']))
    const unknown = [
      // Other errors of these applications do not matter.
      app(`<Qual id="1"/>${vehicle(2010)}${part('P.1', 2, 'ZZZZ')}`),
      app(`${vehicle(2011)}${part('P2', 2, 'ZZZZ')}`),
      app(`<BaseVehicle id="999"/>${part('none', 2, 'YYYY')}`),
    ]
    const dryRun = await check(aces([app(`${vehicle(2009)}${part('p1', 2, 'GRAU')}`), ...unknown]))
    const report = {
      rows: 4,
      errors: [],
      added: 1,
      leftOutCount: 3,
      leftOut: [
        { brandId: 'ZZZZ', applications: 2, partNumber: 'P.1' },
        { brandId: 'YYYY', applications: 1, partNumber: 'none' },
      ],
    }
    expect(dryRun).toMatchObject(report)
    expect(await run(dryRun)).toMatchObject({ state: 'done', ...report })
    expect(await describeAll(ours)).toEqual(['2009-2009 2'])
    expect([...(await getFitments(other)), ...(await getFitments(noBrand))]).toEqual([])

    const { errors } = await check(
      aces([
        app(`${vehicle(2009)}${part('P-1', 2, 'CORV')}`),
        app(`${vehicle(2009)}${part('P-3', 2, 'CORV')}`),
        app(`${vehicle(2009)}${part('P-2', 2, 'CO')}`),
        app(`${vehicle(2009)}${part('P-2', 2, 'corv')}`),
      ]),
    )
    const message = 'No product of the brand "Corvane" has this part number'
    expect(errors).toEqual([
      { row: 1, line: 4, column: 'Part', message },
      { row: 2, line: 5, column: 'Part', message },
      { row: 3, line: 6, column: 'Part', message: 'The attribute “BrandAAIAID” is not four letters' },
    ])
  })

  test('can name the brand of all parts in its header', async () => {
    await addCodes()
    const pads = await aProduct(shop, { sku: 'P-1', brand: 'Grauwerk' })
    const disc = await aProduct(shop, { sku: 'P-2', brand: 'Corvane' })
    await run(await checkCodes(['brand,GRAU,,,,Grauwerk', 'brand,CORV,,,,Corvane']))
    const apps = [app(`${vehicle(2009)}${part()}`), app(`${vehicle(2010)}${part('P-2', 2, 'CORV')}`)]
    const foreign = await check(aces(apps.slice(0, 1), { brandId: 'ZZZZ' }))
    expect(foreign).toMatchObject({
      state: 'failed',
      failure:
        'The shop knows none of the brands in this file: ZZZZ. If you sell one, import its id as an ACES code of the kind “brand” first.',
    })
    await run(await check(aces(apps, { brandId: 'GRAU' })))
    expect([await describeAll(pads), await describeAll(disc)]).toEqual([['2009-2009 2'], ['2010-2010 2']])
    expect((await check(aces(apps, { brandId: 'CORV' }))).errors).toMatchObject([{ row: 1, column: 'Part' }])
  })

  test('is not imported if a brand id has another brand since the check', async () => {
    await addCodes()
    await aProduct(shop, { sku: 'P-1', brand: 'Grauwerk' })
    await aProduct(shop, { sku: 'P-2', brand: 'Corvane' })
    await run(await checkCodes(['brand,GRAU,,,,Grauwerk']))
    const dryRun = await check(aces([app(`${vehicle(2009)}${part('P-1', 2, 'GRAU')}`)]))
    await run(await checkCodes(['brand,GRAU,,,,Corvane']))
    expect(await run(dryRun)).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(/^The catalog changed/),
    })
  })

  test('that is a TEST can only be checked', async () => {
    await addCodes()
    await aProduct(shop, { sku: 'P-1' })
    const dryRun = await check(aces([app(`${vehicle(2009)}${part()}`)], { type: 'TEST' }))
    expect(dryRun.errors).toEqual([
      { row: 0, line: 3, column: 'SubmissionType', message: 'This file is a test, and cannot be imported' },
    ])
    await expect(run(dryRun)).rejects.toThrow('IMPORT_NOT_READY')
  })
})

describe('a hostile ACES file', () => {
  const one = app(`${vehicle(2009)}${part()}`)
  const body = aces([one], { head: '' }).trim()
  const laughs = `<!DOCTYPE ACES [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>`

  test.each([
    ['entities that expand', `${laughs}${body.replace('P-1', '&c;')}`, /DOCTYPE\) is not allowed/],
    [
      'an external document type',
      `<!DOCTYPE ACES SYSTEM "file:///etc/passwd">${body}`,
      /DOCTYPE\) is not allowed/,
    ],
    ['an unknown entity', body.replace('P-1', '&c;'), /^Line \d+: the XML is not valid: undefined entity/],
    ['UTF-16', Buffer.from(`\ufeff${body}`, 'utf16le'), 'The file is not UTF-8. Save it as UTF-8.'],
    ['UTF-16 without a mark', Buffer.from(body, 'utf16le'), 'The file is not UTF-8. Save it as UTF-8.'],
    [
      'Latin-1',
      Buffer.from(body.replace('Pads', 'Beläge'), 'latin1'),
      'The file is not UTF-8. Save it as UTF-8.',
    ],
    [
      'another declared encoding',
      `<?xml version="1.0" encoding="ISO-8859-1"?>${body}`,
      'Line 1: the file declares the encoding “ISO-8859-1”. Save it as UTF-8.',
    ],
    ['nothing', '', /must contain a root element/],
    ['a workbook', Buffer.from('PK\u0003\u0004 and so on'), /^Line 1: the XML is not valid/],
    ['another root', '<PIES/>', 'Line 1: this is not an ACES file. Its root element is “PIES”.'],
    [
      'an old version',
      body.replace('4.2', '3.2'),
      'Line 1: the version “3.2” is not supported. Use ACES 4.0 to 4.2.',
    ],
    ['no header', body.replace(/<Header>.*<\/Header>/, ''), /header must come before the applications/],
    [
      'a header without a company',
      body.replace('Grauwerk', ' '),
      /^Line \d: Header, Company: The element is missing/,
    ],
    [
      'a second header',
      body.replace('<Footer>', '<Header/><Footer>'),
      /^Line \d: the file has a second header\.$/,
    ],
    ['no applications', aces([]), 'The file has no applications.'],
    ['a wrong count', aces([one], { count: 2 }), /counts 2 applications, but the file has 1/],
    [
      'an end partway through',
      body.slice(0, body.indexOf('</App>')),
      /^Line \d: the XML is not valid: unclosed tag: App/,
    ],
    ['an end before the footer', body.replace(/<Footer>.*/s, '</ACES>'), /The footer has no RecordCount/],
    ['tags in the wrong order', body.replace('</App>', '</Ap>'), /^Line \d: the XML is not valid/],
    ['deep elements', body.replace('P-1', `${'<a>'.repeat(20)}${'</a>'.repeat(20)}`), /nested too deeply/],
    ['a long text', body.replace('P-1', 'x'.repeat(3_000_000)), /a text or a tag is too long/],
    ['a long attribute', body.replace('1684', 'x'.repeat(3_000_000)), /a text or a tag is too long/],
    [
      'a long comment',
      body.replace('P-1', `<!--${'x'.repeat(3_000_000)}-->P-1`),
      /a text or a tag is too long/,
    ],
  ])('with %s is refused and changes nothing', async (_what, file, failure) => {
    await addCodes()
    await aProduct(shop, { sku: 'P-1' })
    const dryRun = await check(file)
    expect(dryRun).toMatchObject({ state: 'failed', failure: expect.stringMatching(failure) })
    for (const table of ['aces_import_rows', 'fitment_import_rows', 'fitments']) {
      expect((await sql`select from ${sql.table(table)}`.execute(shop.db)).rows).toEqual([])
    }
  })

  test('is read as data: character references, CDATA, comments and formulas are texts', async () => {
    await addCodes()
    const pads = await aProduct(shop, { sku: 'P-1' })
    const note = '<Note>=cmd<!-- x -->&amp;<![CDATA[<b>]]>&#228;</Note>'
    await run(await check(aces([app(`${vehicle(2009)}${note}${part()}`)])))
    expect(await describeAll(pads)).toEqual(['2009-2009 2 =cmd&<b>ä'])
    const csv = (await shop.request<string>('GET', '/api/v1/fitments.csv', { as: admin })).body
    expect(csv).toContain(",'=cmd&<b>ä,")
  })

  test('with an application of countless elements lists few errors', async () => {
    await addCodes()
    await aProduct(shop, { sku: 'P-1' })
    const elements = Array.from({ length: 100_000 }, (_, index) => `<E${index}/><Note>n</Note>`)
    const { errorCount, errors } = await check(aces([app(`${vehicle(2009)}${elements.join('')}${part()}`)]))
    expect(errorCount).toBeLessThan(30)
    expect(errors).toContainEqual({ row: 1, line: 4, column: 'Note', message: 'At most 300 characters' })
  })

  test('with 10,000 applications of one product is imported completely', async () => {
    await addCodes()
    const pads = await aProduct(shop, { sku: 'P-1' })
    await run(
      await checkCodes(Array.from({ length: 2500 }, (_, index) => `submodel,${index + 1},,,,V${index + 1}`)),
    )
    const apps = Array.from({ length: 10_000 }, (_, index) =>
      app(`${vehicle(2009 + (index % 4))}<SubModel id="${Math.floor(index / 4) + 1}"/>${part()}`),
    )
    const dryRun = await check(aces(apps))
    expect(dryRun).toMatchObject({ errors: [], rows: 10_000, added: 2500 })
    expect(await run(dryRun)).toMatchObject({ state: 'done' })
    expect((await shop.call('listFitments', { params: { id: pads } })).body.total).toBe(2500)
    expect(await check(aces([...apps, ...apps]))).toMatchObject({ errorCount: 10_000 })
  })
})
