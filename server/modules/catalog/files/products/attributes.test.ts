import { beforeEach, expect, test } from 'vitest'
import { anAdmin, aProduct } from '../../../../../tests/factories.ts'
import { checkFile, runImport, waitForImport } from '../../../../../tests/product-import.ts'
import { expectConsistent, useCustomer, useTestShop } from '../../../../../tests/shop.ts'
import { saveAttributes } from '../../attributes/service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

beforeEach(async () => {
  const choices = ['428', '520', '=1+1']
  await define('Chains', [
    { name: 'Pitch', type: 'choice', choices },
    { name: 'Links, all', type: 'number' },
    { name: 'Größe', type: 'number' },
  ])
  await define('Tyres', [{ name: 'pitch', type: 'number' }])
})

type Attributes = Parameters<typeof saveAttributes>[2]['attributes']
const define = (kind: string, attributes: Attributes) => saveAttributes(shop.db, kind, { attributes }, null)
const check = (...lines: string[]) => checkFile(shop, admin, lines.join('\n'))
const importRows = async (...lines: string[]) => runImport(shop, admin, await check(...lines))
const download = async (query: { kind?: string; decimals?: 'comma' } = {}) =>
  (await shop.request<string>('GET', '/api/v1/products.csv', { as: admin, query })).body
const readAll = async () => {
  const rows = await shop.db.selectFrom('products').select(['name', 'attributes']).orderBy('name').execute()
  return Object.fromEntries(rows.map(({ name, attributes }) => [name, attributes]))
}
const header = 'sku,name,price,quantity,minimum,description,image,kind'
const row = (sku: string, kind: string, name = sku) =>
  `${sku},${name},40,10,1,Steel.,/pictures/chain.svg,${kind}`

test('columns of attributes add, change and clear values; missing columns and other kinds keep theirs', async () => {
  const added = await importRows(
    `${header},Attribute:Pitch,"attribute:Links, all"`,
    `${row('C-1', 'Chains')},520,118`,
    `${row('C-2', 'Chains')},,"112,5"`,
    `${row('T-1', 'Tyres')},-4.25,`,
    `${row('X-1', '')},,`,
  )
  expect(added).toMatchObject({ state: 'done', added: 4 })
  const all = {
    'C-1': { Pitch: '520', 'Links, all': 118 },
    'C-2': { 'Links, all': 112.5 },
    'T-1': { pitch: -4.25 },
  }
  expect(await readAll()).toEqual({ ...all, 'X-1': {} })

  const dryRun = await check('sku,attribute:pitch', 'C-1,', 'C-2,428', 'T-1,-4.250')
  expect(dryRun).toMatchObject({ changed: 2, unchanged: 1, errors: [] })
  expect(dryRun.changes.map(({ before, after }) => [before, after])).toEqual([
    [{ attributes: 'Links, all: 118; Pitch: 520' }, { attributes: 'Links, all: 118' }],
    [{ attributes: 'Links, all: 112.5' }, { attributes: 'Links, all: 112.5; Pitch: 428' }],
  ])
  await runImport(shop, admin, dryRun)
  expect(await readAll()).toMatchObject({
    'C-1': { 'Links, all': 118 },
    'C-2': { 'Links, all': 112.5, Pitch: '428' },
  })
  await importRows('sku,price', 'C-1,50')
  expect(await readAll()).toMatchObject({ 'C-1': { 'Links, all': 118 } })
  await expectConsistent(shop.db)
})

test('an export that is imported again changes nothing, and restores the values in another shop', async () => {
  await aProduct(shop, { sku: 'C-1', kind: 'Chains', attributes: { Pitch: '=1+1', 'Links, all': -0.125 } })
  await aProduct(shop, { sku: 'C-2', kind: 'Chains', attributes: { Größe: 999_999.999 } })
  await aProduct(shop, { sku: 'T-1', kind: 'Tyres', attributes: { pitch: 3 } })
  const hidden = await aProduct(shop, { sku: 'H-1', kind: 'Chains', attributes: { Pitch: '520' } })
  await shop.db.updateTable('products').set({ kind: 'Belts' }).where('id', '=', hidden).execute()
  await aProduct(shop, { sku: 'X-1' })
  const before = await readAll()
  const file = await download()
  expect(file.split('\n')[0]).toMatch(/,attribute:Größe,"attribute:Links, all",attribute:Pitch$/)
  const dryRun = await check(file)
  expect(dryRun).toMatchObject({ errors: [], changed: 0, unchanged: 5 })
  await runImport(shop, admin, dryRun)
  expect(await readAll()).toEqual(before)

  const forExcel = await download({ decimals: 'comma' })
  expect(forExcel).toContain(";'-0,125;")
  expect(forExcel).toContain(';999999,999;')
  expect(await check(forExcel)).toMatchObject({ errors: [], changed: 0, unchanged: 5 })

  await shop.db.updateTable('products').set({ attributes: '{}' }).execute()
  const other = file.replaceAll(/^[0-9a-f]{24},/gm, ',')
  await importRows(...other.trimEnd().split('\n'))
  expect(await download()).toBe(file)
})

test('names of 40 characters stay whole in an export, which can be imported again', async () => {
  const names = ['Ä'.repeat(40), `${'長'.repeat(39)}一`, `${'長'.repeat(39)}二`]
  await define(
    'Chains',
    names.map((name) => ({ name, type: 'number' })),
  )
  const attributes = Object.fromEntries(names.map((name, index) => [name, index]))
  await aProduct(shop, { sku: 'C-1', name: 'C-1', kind: 'Chains', attributes })
  const file = await download()
  expect(file.split('\n')[0]).toMatch(
    new RegExp(`,${['pitch', ...names].map((name) => `attribute:${name}`).join()}$`),
  )
  expect(await check(file)).toMatchObject({ state: 'checked', errors: [], changed: 0, unchanged: 1 })

  await importRows(...file.replace(',,0,1,2\n', ',,3,4,5\n').trimEnd().split('\n'))
  expect(await readAll()).toMatchObject({
    'C-1': Object.fromEntries(names.map((name, index) => [name, index + 3])),
  })
})

test('an export of one kind has its products with its own attributes', async () => {
  await aProduct(shop, { sku: 'C-1', name: "Chain's", kind: 'Chains', attributes: { Pitch: '520' } })
  await aProduct(shop, { sku: 'T-1', kind: 'Tyres' })
  const lines = (await download({ kind: 'Tyres' })).trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]?.match(/attribute:[^,]*/g)).toEqual(['attribute:pitch'])
  expect((await download({ kind: "O'Kind" })).trimEnd().split('\n')).toHaveLength(1)
})

test.each([
  ['Chains', 'attribute:Pitch', '630', 'Enter one of: 428, 520, =1+1'],
  ['Tyres', 'attribute:Pitch', 'wide', 'Enter a number with at most three decimals'],
  ['Tyres', 'attribute:Pitch', '1.2345', 'Enter a number with at most three decimals'],
  ['Tyres', 'attribute:Pitch', '"1,500"', 'Enter a number with at most three decimals'],
  ['Tyres', 'attribute:Pitch', '1234567', 'Enter a number with at most three decimals'],
  ['Tyres', 'attribute:Größe', '5', 'Tyres has no attribute with this name'],
  ['Belts', 'attribute:Pitch', '520', 'Belts has no attribute with this name'],
  ['', 'attribute:Pitch', '520', 'A product without a kind of part has no attributes'],
])('%s, %s %s: an error of the row', async (kind, column, value, message) => {
  const dryRun = await check(`${header},${column}`, `${row('A-1', kind)},${value}`)
  expect(dryRun.errors).toEqual([{ row: 2, column: column.toLowerCase(), message }])
})

test('the kind of the file decides, and all rows of a product need the same values', async () => {
  await aProduct(shop, { sku: 'C-1', kind: 'Chains' })
  const changed = await check('sku,kind,attribute:pitch', 'C-1,Tyres,520', 'C-2,Chains,5')
  expect(changed.errors.filter(({ column }) => column === 'attribute:pitch')).toMatchObject([{ row: 3 }])
  const variants = await check(
    `${header},group,size,attribute:pitch`,
    `${row('V-1', 'Chains', 'Set')},set,S,520`,
    `${row('V-2', 'Chains', 'Set')},set,M,428`,
  )
  expect(variants.errors).toEqual([
    { row: 3, column: 'attribute:pitch', message: 'Row 2 of the same product has another value' },
  ])
})

test('a column of an unknown attribute is refused', async () => {
  const { state, failure } = await check('sku,attribute:Pich', 'C-1,520')
  expect(state).toBe('failed')
  expect(failure).toMatch(
    /^Row 1: unknown column “attribute:pich”\. Valid columns are .*, attribute:pitch\.$/,
  )
})

test('an undo restores the values from before an import', async () => {
  await aProduct(shop, { sku: 'C-1', kind: 'Chains', attributes: { Pitch: '520' } })
  const before = await readAll()
  const { id } = await importRows('sku,attribute:pitch,"attribute:links, all"', 'C-1,428,118')
  expect(await readAll()).not.toEqual(before)
  const undo = (await shop.call('undoImport', { as: admin, params: { id } })).body
  const checked = await waitForImport(shop, admin, undo.id)
  expect(checked.changes.map((change) => [change.before, change.after])).toEqual([
    [{ attributes: 'Pitch: 428; Links, all: 118' }, { attributes: 'Pitch: 520' }],
  ])
  await runImport(shop, admin, checked)
  expect(await readAll()).toEqual(before)
})
