import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AttributeValues, EditedKindAttributes } from '../../../../contract/attributes.ts'
import { anAdmin, aProduct, readProductEtag } from '../../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'
import { saveAttributes } from './service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

type Defined = EditedKindAttributes['attributes']
const links = { name: 'Links', type: 'number' } as const
const pitch = { name: 'Pitch', type: 'choice', choices: ['428', '520', '525'] } as const
const ofChains: Defined = [
  { ...pitch, choices: [...pitch.choices] },
  links,
  { name: 'Strength', type: 'number', unit: 'kN' },
]

const list = async () => (await shop.call('listAttributes', { as: admin })).body
const save = async (attributes: unknown, revision?: string, kind = 'Chains') => {
  const known = (await list()).find((each) => each.kind === kind)?.revision ?? ''
  const body = { attributes: attributes as Defined, revision: revision ?? known }
  return shop.call('saveAttributes', { as: admin, params: { kind }, body })
}
const saveValues = async (id: string, attributes: AttributeValues, etag?: string) =>
  shop.call('saveProductAttributes', {
    as: admin,
    params: { id },
    headers: { 'if-match': etag ?? (await readProductEtag(shop, admin, id)) },
    body: { attributes },
  })
const read = async (id: string) => (await shop.call('getProduct', { params: { id } })).body.attributes
const aChain = (name: string, attributes: AttributeValues) =>
  aProduct(shop, { name, kind: 'Chains', attributes })

describe('the attributes of a kind', () => {
  test('are listed by kind in their order, and replaced as a whole', async () => {
    await save([{ name: 'Volts', type: 'choice', choices: [' 6 ', '12'], unit: ' V ' }], '', 'Batteries')
    const saved = await save([{ name: ' Links ', type: 'number', unit: '' }, pitch])
    expect(saved.body).toMatchObject({ kind: 'Chains', attributes: [links, pitch] })
    expect(await list()).toMatchObject([
      { kind: 'Batteries', attributes: [{ name: 'Volts', type: 'choice', choices: ['6', '12'], unit: 'V' }] },
      { kind: 'Chains', attributes: [links, pitch], revision: saved.body.revision },
    ])
    await save([])
    expect((await list()).map(({ kind }) => kind)).toEqual(['Batteries'])
  })

  test('are removed only with their revision, and by a repeated request', async () => {
    const { revision } = (await save([links])).body
    await save([pitch])
    expect(await save([], revision)).toMatchObject(refused('RECORD_CHANGED'))
    const edited = (await list())[0]?.revision
    expect((await save([], edited)).body.revision).toBe('')
    expect((await save([], edited)).status).toBe(200)
    expect(await list()).toEqual([])
  })

  test('are in the audit with each change', async () => {
    await save([links])
    await save([links])
    await save([pitch, { ...links, unit: 'pcs' }])
    await save([])
    const query = { area: 'attributes', subject: 'Chains' } as const
    const { entries } = (await shop.call('listAudit', { as: admin, query })).body
    const both = 'Pitch: 428, 520, 525; Links: number, pcs'
    expect(entries.map(({ kind, by, subject, changes }) => [kind, by?.email, subject.name, changes])).toEqual(
      [
        ['deleted', admin.email, 'Chains', [{ field: 'attributes', before: both }]],
        ['edited', admin.email, 'Chains', [{ field: 'attributes', before: 'Links: number', after: both }]],
        ['added', admin.email, 'Chains', [{ field: 'attributes', after: 'Links: number' }]],
      ],
    )
  })

  test.each<[string, string, unknown[]]>([
    ['13 attributes', 'attributes', Array.from({ length: 13 }, (_, n) => ({ ...links, name: `Links ${n}` }))],
    ['an attribute twice', 'attributes.1.name', [links, { ...pitch, name: 'links' }]],
    ['a blank name', 'attributes.0.name', [{ ...links, name: ' ' }]],
    ['a name with a colon', 'attributes.0.name', [{ ...links, name: 'Links: all' }]],
    ['a name that starts with a sign', 'attributes.0.name', [{ ...links, name: '__proto__' }]],
    ['a name of 41 characters', 'attributes.0.name', [{ ...links, name: 'x'.repeat(41) }]],
    ['the name of a value that each product has', 'attributes.0.name', [{ ...links, name: 'brand' }]],
    ['an unknown type', 'attributes.0.type', [{ ...links, type: 'text' }]],
    ['a long unit', 'attributes.0.unit', [{ ...links, unit: 'x'.repeat(13) }]],
    ['a choice without choices', 'attributes.0.choices', [{ name: 'Pitch', type: 'choice' }]],
    ['a number with choices', 'attributes.0.choices', [{ ...links, choices: ['1'] }]],
    ['a choice twice', 'attributes.0.choices', [{ ...pitch, choices: ['Red', 'red'] }]],
    ['a blank choice', 'attributes.0.choices.1', [{ ...pitch, choices: ['428', ' '] }]],
    [
      '41 choices',
      'attributes.0.choices',
      [{ ...pitch, choices: Array.from({ length: 41 }, (_, n) => `${n}`) }],
    ],
  ])('%s: an error of its field', async (_, field, attributes) => {
    expect(await save(attributes, '')).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
    expect(await list()).toEqual([])
  })

  test('are defined for at most 100 kinds, which can still be changed', async () => {
    await save([links])
    await sql`insert into kind_attributes (kind, attributes)
      select 'Kind ' || n, '[{"name": "Links", "type": "number"}]' from generate_series(2, 100) as n`.execute(
      shop.db,
    )
    expect(await save([links], '', 'Tyres')).toMatchObject(refused('TOO_MANY_ATTRIBUTES'))
    expect((await save([pitch])).status).toBe(200)
  })
})

describe('the values of a product', () => {
  test('are shown in the order of its kind, and in the audit of the product', async () => {
    await save(ofChains)
    const id = await aProduct(shop, { kind: 'Chains' })
    expect(await read(id)).toBeUndefined()
    const saved = await saveValues(id, { Strength: 36.5, Pitch: '520' })
    expect(saved.body).toEqual({ attributes: { Strength: 36.5, Pitch: '520' } })
    expect(saved.headers.get('etag')).toBe(await readProductEtag(shop, admin, id))
    expect(await read(id)).toEqual([
      { name: 'Pitch', value: '520' },
      { name: 'Strength', value: 36.5, unit: 'kN' },
    ])
    await saveValues(id, { Strength: 36.5, Pitch: '520' })
    await saveValues(id, {})
    expect(await read(id)).toBeUndefined()
    const query = { area: 'products', subject: id } as const
    const { entries } = (await shop.call('listAudit', { as: admin, query })).body
    expect(entries.slice(0, 2).map(({ changes }) => changes)).toEqual([
      [{ field: 'attributes', before: 'Pitch: 520; Strength: 36.5' }],
      [{ field: 'attributes', after: 'Pitch: 520; Strength: 36.5' }],
    ])
    expect(entries[2]?.changes?.map(({ field }) => field)).not.toContain('attributes')
  })

  test('stay when the product is edited, hidden while its kind does not define them', async () => {
    await save(ofChains)
    const id = await aChain('Chain', { Pitch: '520', Links: 118 })
    const edit = async (kind: string | undefined) =>
      shop.call('editProduct', {
        as: admin,
        params: { id },
        headers: { 'if-match': await readProductEtag(shop, admin, id) },
        body: { name: 'Chain', description: 'x', price: 40, minimum: 1, image: '/pictures/chain.svg', kind },
      })
    await edit('Belts')
    expect(await read(id)).toBeUndefined()
    await edit('Chains')
    expect(await read(id)).toEqual([
      { name: 'Pitch', value: '520' },
      { name: 'Links', value: 118 },
    ])
    await save([
      { name: 'Links', type: 'choice', choices: ['118'] },
      { ...pitch, choices: ['525'] },
    ])
    expect(await read(id)).toBeUndefined()
    await save(ofChains)
    expect(await read(id)).toHaveLength(2)
  })

  test('are not saved over the changes of another admin', async () => {
    await save(ofChains)
    const id = await aProduct(shop, { kind: 'Chains' })
    const etag = await readProductEtag(shop, admin, id)
    await saveValues(id, { Links: 120 })
    const { status, body } = await saveValues(id, { Links: 118 }, etag)
    expect({ status, body }).toMatchObject({
      status: 412,
      body: { code: 'PRODUCT_CHANGED', product: { attributes: { Links: 120 } } },
    })
    expect(await saveValues('nothing', {}, '"x"')).toMatchObject(refused('PRODUCT_NOT_FOUND'))
  })

  test.each<[string, string, AttributeValues]>([
    ['an unknown attribute', 'attributes.Length', { Length: 5 }],
    ['a property of objects', 'attributes.constructor', { constructor: 'x' }],
    ['a text for a number', 'attributes.Links', { Links: '118' }],
    ['four decimals', 'attributes.Links', { Links: 1.2345 }],
    ['a number that is too large', 'attributes.Links', { Links: 1_000_000 }],
    ['another choice', 'attributes.Pitch', { Pitch: '630' }],
    ['a number for a choice', 'attributes.Pitch', { Pitch: 520 }],
    ['a long text', 'attributes.Pitch', { Pitch: 'x'.repeat(41) }],
  ])('%s: an error of its field', async (_, field, attributes) => {
    await save(ofChains)
    const id = await aProduct(shop, { kind: 'Chains' })
    expect(await saveValues(id, attributes)).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
    expect(await read(id)).toBeUndefined()
  })
})

describe('the filter by attributes', () => {
  beforeEach(async () => {
    await saveAttributes(shop.db, 'Chains', { attributes: ofChains }, null)
    await saveAttributes(shop.db, 'Tyres', { attributes: [links] }, null)
    await aChain('Short', { Pitch: '428', Links: 98 })
    await aChain('Medium', { Pitch: '520', Links: 112, Strength: 36 })
    await aChain('Long', { Pitch: '520', Links: 120, Strength: 39.5 })
    await aChain('Plain', {})
    await aProduct(shop, { name: 'Tyre', kind: 'Tyres', attributes: { Links: 112 } })
  })

  const kind = ['Chains']
  const find = async (attribute: string[], more = {}) =>
    (await shop.call('listProducts', { query: { kind, attribute, ...more } })).body.map(({ name }) => name)
  const count = async (attribute: string[], more = {}) => {
    const { body } = await shop.call('countProducts', { query: { kind, attribute, ...more } })
    const values = body.attributes?.map(({ name, values }) => [
      name,
      values.map(({ value, count }) => `${value}: ${count}`),
    ])
    return { total: body.total, values: Object.fromEntries(values ?? []) }
  }

  test('counts each value with the choices of the other filters', async () => {
    expect(await count([])).toEqual({
      total: 4,
      values: {
        Pitch: ['428: 1', '520: 2'],
        Links: ['98: 1', '112: 1', '120: 1'],
        Strength: ['36: 1', '39.5: 1'],
      },
    })
    expect(await count(['Pitch:520', 'Links:100..115'])).toEqual({
      total: 1,
      values: { Pitch: ['520: 1'], Links: ['100..115: 1', '112: 1', '120: 1'], Strength: ['36: 1'] },
    })
    expect(await count(['Pitch:428'], { q: 'short' })).toMatchObject({
      total: 1,
      values: { Links: ['98: 1'] },
    })
  })

  test.each<[string[], string[]]>([
    [['Pitch:520'], ['Medium', 'Long']],
    [
      ['Pitch:428', 'Pitch:520'],
      ['Short', 'Medium', 'Long'],
    ],
    [['Links:98..112'], ['Short', 'Medium']],
    [['Links:113..'], ['Long']],
    [
      ['Links:..98', 'Links:120'],
      ['Short', 'Long'],
    ],
    [['Pitch:520', 'Strength:39.5'], ['Long']],
    [['Pitch:525'], []],
  ])('%j lists %j', async (attribute, names) => {
    expect(await find(attribute)).toEqual(names)
    expect(await find(attribute, { sort: '-price' })).toEqual(names.toReversed())
    expect(await find(attribute, { q: 'tyre' })).toEqual([])
    expect((await count(attribute)).total).toBe(names.length)
  })

  test('ignores values that the kind no longer allows', async () => {
    await sql`update products set attributes = '{"Links": "many", "Pitch": 520}' where name = 'Medium'`.execute(
      shop.db,
    )
    expect(await find(['Links:1..'])).toEqual(['Short', 'Long'])
    expect((await count([])).values).toMatchObject({
      Pitch: ['428: 1', '520: 1'],
      Links: ['98: 1', '120: 1'],
    })
  })

  test('is not offered without exactly one kind', async () => {
    for (const kind of [[], ['Chains', 'Tyres']]) {
      const { body } = await shop.call('countProducts', { query: { kind } })
      expect(body.attributes).toBeUndefined()
      expect(await shop.call('listProducts', { query: { kind, attribute: ['Links:112'] } })).toMatchObject({
        status: 400,
        body: { fields: { kind: 'Choose one kind of part' } },
      })
    }
  })

  test.each(['Links', 'Links:', 'Length:5', 'Links:a', 'Links:5..1', 'Links:..', 'Pitch:630', ':5'])(
    'refuses %j',
    async (choice) => {
      for (const name of ['listProducts', 'countProducts'] as const) {
        const refused = await shop.call(name, { query: { kind, attribute: [choice] } })
        expect(refused.status, name).toBe(400)
        expect(Object.keys((refused.body as unknown as { fields: object }).fields)[0]).toMatch(/^attribute/)
      }
    },
  )
})
