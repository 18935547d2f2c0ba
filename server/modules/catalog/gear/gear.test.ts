import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { EditedSizeChart, Manufacturer } from '../../../../contract/gear.ts'
import { anAdmin, aProduct, readProductEtag, someSizeChart } from '../../../../tests/factories.ts'
import { expectConsistent, useCustomer, useTestShop } from '../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const readProduct = async (id: string) => (await shop.call('getProduct', { params: { id } })).body
const readAudit = async (area: string) =>
  (await shop.call('listAudit', { as: admin, query: { area } })).body.entries

describe('the manufacturer of a brand', () => {
  const saveBrand = (name: string, body: Manufacturer) =>
    shop.call('saveBrand', { as: admin, params: { name }, body })
  const maker = { name: 'Corvane S.r.l.', address: 'Via Prova 1\n20100 Milano', contact: 'help@corvane.test' }

  test("is in the responses of the brand's products, and of no others", async () => {
    const [own, other] = [await aProduct(shop, { brand: 'Corvane' }), await aProduct(shop)]
    expect((await saveBrand('Corvane', { ...maker, safetyText: 'Replace it after a fall.' })).body).toEqual({
      name: 'Corvane',
      products: 1,
      data: 'complete',
      manufacturer: { ...maker, safetyText: 'Replace it after a fall.' },
      revision: expect.any(String),
    })
    expect((await readProduct(own)).manufacturer).toEqual({
      ...maker,
      safetyText: 'Replace it after a fall.',
    })
    expect(await readProduct(other)).not.toHaveProperty('manufacturer')
    const { body: list } = await shop.call('listProducts')
    expect(list.filter((product) => 'manufacturer' in product)).toEqual([])
  })

  test('without data comes first in the list of brands, then incomplete, then complete data', async () => {
    for (const brand of ['Alder', 'Birch', 'Cedar', 'Dogwood']) await aProduct(shop, { brand })
    await saveBrand('Alder', maker)
    await saveBrand('Birch', { name: 'Birch Ltd.' })
    await saveBrand('Cedar', { ...maker, eu: { name: 'Cedar Europe' } })
    const { body, headers } = await shop.call('listBrands', { as: admin, query: { pageSize: 3 } })
    expect(body.map(({ name, data }) => [name, data])).toEqual([
      ['Dogwood', 'missing'],
      ['Birch', 'incomplete'],
      ['Cedar', 'incomplete'],
    ])
    expect(headers.get('x-total-count')).toBe('4')
    const { body: found } = await shop.call('listBrands', { as: admin, query: { q: 'BIR' } })
    expect(found.map(({ name }) => name)).toEqual(['Birch'])
  })

  test('is cleared by an empty request, and the audit has both changes', async () => {
    await aProduct(shop, { brand: 'Corvane' })
    await saveBrand('Corvane', { name: 'Corvane S.r.l.' })
    const { body } = await saveBrand('Corvane', {})
    expect(body).toMatchObject({ data: 'missing', manufacturer: {} })
    const [cleared, added, ...others] = await readAudit('brands')
    expect(others).toEqual([])
    expect(added).toMatchObject({
      kind: 'added',
      by: { email: admin.email, role: 'admin' },
      subject: { id: 'Corvane', name: 'Corvane', deleted: false },
      changes: [{ field: 'makerName', after: 'Corvane S.r.l.' }],
    })
    expect(cleared).toMatchObject({
      kind: 'edited',
      changes: [{ field: 'makerName', before: 'Corvane S.r.l.' }],
    })
  })

  test('of a brand that no product has is not found', async () => {
    expect(await saveBrand('Nobody', maker)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await shop.call('getBrand', { as: admin, params: { name: '\u0000' } })).status).toBe(404)
  })
})

describe('a size chart', () => {
  const save = (id: string, body: EditedSizeChart) =>
    shop.call('saveSizeChart', { as: admin, params: { id }, body })
  const helmet = { brand: 'Corvane', kind: 'Full-face helmets' }

  test('is only in the responses of products with its brand and kind', async () => {
    const own = await aProduct(shop, helmet)
    const others = [
      await aProduct(shop, { ...helmet, brand: 'Halden' }),
      await aProduct(shop, { ...helmet, kind: 'Gloves' }),
      await aProduct(shop),
    ]
    const saved = { id: 'c1', ...someSizeChart, revision: expect.any(String) }
    expect((await save('c1', someSizeChart)).body).toEqual(saved)
    expect((await readProduct(own)).sizeChart).toEqual({ id: 'c1', ...someSizeChart })
    for (const id of others) expect(await readProduct(id)).not.toHaveProperty('sizeChart')
    expect((await shop.call('listSizeCharts', { as: admin })).body).toEqual([saved])
  })

  test('is replaced by another request with its id, and deleted once; the audit has each change', async () => {
    await save('c1', someSizeChart)
    await save('c1', { ...someSizeChart, rows: [{ size: 'M', values: [[57, 58.5]] }] })
    const remove = () => shop.call('deleteSizeChart', { as: admin, params: { id: 'c1' } })
    expect((await remove()).body).toEqual({ acknowledged: true, deletedCount: 1 })
    expect((await remove()).body.code).toBe('NOT_FOUND')
    expect((await shop.call('getSizeChart', { as: admin, params: { id: 'c1' } })).status).toBe(404)
    const entries = await readAudit('brands')
    expect(entries.map(({ kind }) => kind)).toEqual(['deleted', 'edited', 'added'])
    expect(entries[1]).toMatchObject({
      subject: { id: 'Corvane', name: 'Corvane, Full-face helmets' },
      changes: [{ field: 'rows', before: 'M: 57–58; L: 59–60', after: 'M: 57–58.5' }],
    })
    expect(entries[0]?.changes).toContainEqual({ field: 'columns', before: 'Head' })
  })

  test('may have a size as long as the sizes of products', async () => {
    const rows = [{ size: 'x'.repeat(60), values: [[57, 58]] as [[number, number]] }]
    expect((await save('c1', { ...someSizeChart, rows })).body).toMatchObject({ rows })
  })

  test('is refused if the brand has another one for this kind, even in a race', async () => {
    const saved = await Promise.all(['c1', 'c2', 'c3'].map((id) => save(id, someSizeChart)))
    expect(saved.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(saved.filter(({ body }) => body.code === 'SIZE_CHART_TAKEN')).toHaveLength(2)
  })

  test.each([
    ['rows.0.values.0', { rows: [{ size: 'M', values: [[58, 57]] }] }],
    ['rows.0.values.0.0', { rows: [{ size: 'M', values: [[-1, 57]] }] }],
    ['rows.0.values', { rows: [{ size: 'M', values: [] }] }],
    [
      'rows.1.size',
      {
        rows: [
          { size: 'm', values: [null] },
          { size: 'M', values: [null] },
        ],
      },
    ],
    ['columns.1', { columns: ['Head', 'head'], rows: [{ size: 'M', values: [null, null] }] }],
    ['source', { source: ' ' }],
    ['rows', { rows: [] }],
  ])('with a wrong field %s is refused', async (field, wrong) => {
    const { status, body } = await save('c1', { ...someSizeChart, ...wrong } as EditedSizeChart)
    expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: [field] })
  })
})

describe('the certificates of a product', () => {
  const save = async (id: string, certificates: unknown[]) =>
    shop.call('saveCertificates', {
      as: admin,
      params: { id },
      headers: { 'if-match': await readProductEtag(shop, admin, id) },
      body: { certificates },
    })
  const elbow = { standard: 'EN 1621-1', class: '2', zone: 'elbow', number: 'CE 0123' }
  const garment = { standard: 'EN 17092', class: 'AA', documentUrl: 'https://maker.test/doc.pdf' }

  test('are in its response, and the audit has their texts before and after', async () => {
    const id = await aProduct(shop)
    const before = new Date('2026-01-01T00:00:00Z')
    await shop.db.updateTable('sitemap_entries').set({ changed_at: before }).execute()
    expect((await save(id, [garment, elbow])).body).toEqual({ certificates: [elbow, garment] })
    expect((await readProduct(id)).certificates).toEqual([elbow, garment])
    const entry = await shop.db.selectFrom('sitemap_entries').select('changed_at').executeTakeFirstOrThrow()
    expect(entry.changed_at > before).toBe(true)
    await save(id, [elbow])
    await save(id, [elbow])
    const [latest, ...older] = await readAudit('products')
    expect(older.map(({ kind }) => kind)).toEqual(['edited', 'added'])
    expect(latest).toMatchObject({
      by: { email: admin.email },
      subject: { id },
      changes: [
        {
          field: 'certificates',
          before: 'EN 1621-1, level 2, elbow, CE 0123; EN 17092, class AA, https://maker.test/doc.pdf',
          after: 'EN 1621-1, level 2, elbow, CE 0123',
        },
      ],
    })
  })

  test.each([
    ['certificates.0.class', [{ standard: 'EN 17092', class: 'AAAA' }]],
    ['certificates.0.class', [{ standard: 'EN 17092' }]],
    ['certificates.0.class', [{ standard: 'FIM FRHPhe-01', class: 'P' }]],
    ['certificates.0.class', [{ standard: 'EN 13634', class: '9-9' }]],
    ['certificates.0.zone', [{ standard: 'EN 1621-1', class: '1' }]],
    ['certificates.0.zone', [{ standard: 'ECE 22.06', zone: 'head' }]],
    ['certificates.0.standard', [{ standard: 'SHARP 5 stars' }]],
    ['certificates.0.documentUrl', [{ standard: 'ECE 22.06', documentUrl: 'javascript:alert(1)' }]],
    ['certificates.1.standard', [elbow, elbow]],
  ])('with a wrong field %s are refused', async (field, certificates) => {
    const { status, body } = await save(await aProduct(shop), certificates)
    expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: [field] })
  })

  test('of a helmet have an optional type, and the digits of a boot size', async () => {
    const certificates = [
      { standard: 'ECE 22.06' },
      { standard: 'EN 13594', class: '1 KP' },
      { standard: 'EN 13634', class: '2-2-1-2' },
      { standard: 'FIM FRHPhe-01' },
    ]
    expect((await save(await aProduct(shop), certificates)).body).toEqual({ certificates })
  })

  test('are filter values, the type of a helmet and the digits of boots excluded', async () => {
    const jacket = await aProduct(shop)
    const helmet = await aProduct(shop)
    await save(jacket, [garment, elbow, { ...elbow, zone: 'shoulder' }])
    await save(helmet, [{ standard: 'ECE 22.06', class: 'P/J' }])
    const { body } = await shop.call('countProducts')
    expect(body.facets.certificate.values).toEqual(
      ['ECE 22.06', 'EN 1621-1 2', 'EN 17092 AA'].map((value) => ({ value, count: 1 })),
    )
    const list = await shop.call('listProducts', { query: { certificate: ['EN 17092 AA', 'ECE 22.06'] } })
    expect(list.body.map(({ _id }) => _id)).toEqual([jacket, helmet])
    await save(jacket, [])
    expect((await shop.call('listProducts', { query: { certificate: 'EN 17092 AA' } })).body).toEqual([])
    await expectConsistent(shop.db)
  })

  test('of a deleted product cannot be changed', async () => {
    const id = await aProduct(shop)
    await sql`update products set deleted_at = now() where id = ${id}`.execute(shop.db)
    expect((await save(id, [garment])).body.code).toBe('PRODUCT_NOT_FOUND')
  })
})
