import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { toModelRevision } from '../../../contract/bikes.ts'
import { aBike, anAdmin, aProduct, someSizeChart } from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

beforeEach(async () => {
  await aProduct(shop, { brand: 'Corvane' })
  await aBike(shop)
})

interface Editor {
  /** Saves an item with a value in one of its fields. */
  save: (value: string, revision?: string) => Promise<{ status: number; body: object }>
  /** Returns the listed item. */
  read: () => Promise<{ value: string | undefined; revision: string } | undefined>
  /** Deletes it, as another admin does. */
  remove: RawBuilder<unknown>
  /** The error of a save after that, if it is another one. */
  removed?: 'BIKE_NOT_FOUND'
}

const params = { id: 'a1' }
const standard = { places: [], price: 5, position: 0 }
const sales = { place: 'US', rate: 5, included: false, taxesShipping: true }
const spring = { kind: 'percent', rate: 10, oncePerBuyer: false } as const
const k6 = { make: 'hayashi', model: 'k6' }

const editors = {
  'the data of a brand': {
    save: (name, revision?) =>
      shop.call('saveBrand', {
        as: admin,
        params: { name: 'Corvane' },
        body: { name, revision },
      }),
    async read() {
      const { body } = await shop.call('listBrands', { as: admin })
      const brand = body.find(({ name }) => name === 'Corvane')
      return brand?.revision ? { value: brand.manufacturer.name, revision: brand.revision } : undefined
    },
    remove: sql`delete from brands`,
  },
  'a size chart': {
    save: (source, revision?) =>
      shop.call('saveSizeChart', {
        as: admin,
        params,
        body: { ...someSizeChart, source, revision },
      }),
    async read() {
      const [chart] = (await shop.call('listSizeCharts', { as: admin })).body
      return chart && { value: chart.source, revision: chart.revision }
    },
    remove: sql`delete from size_charts`,
  },
  'the attributes of a kind': {
    async save(name, revision?) {
      const listed = (await shop.call('listAttributes', { as: admin })).body[0]
      return shop.call('saveAttributes', {
        as: admin,
        params: { kind: 'Chains' },
        body: { attributes: [{ name, type: 'number' }], revision: revision ?? listed?.revision ?? '' },
      })
    },
    async read() {
      const [listed] = (await shop.call('listAttributes', { as: admin })).body
      return listed && { value: listed.attributes[0]?.name, revision: listed.revision }
    },
    remove: sql`delete from kind_attributes`,
  },
  'a group of search words': {
    save: (phrase, revision?) =>
      shop.call('saveSynonyms', {
        as: admin,
        params,
        body: { phrases: ['sissy bar', phrase], revision },
      }),
    async read() {
      const [group] = (await shop.call('listSynonyms', { as: admin })).body.added
      return group && { value: group.phrases[1], revision: group.revision }
    },
    remove: sql`delete from synonyms`,
  },
  'the names of a model': {
    save: (aliases, revision?) =>
      shop.call('saveModel', {
        as: admin,
        params: k6,
        body: { name: 'K6', aliases, revision },
      }),
    async read() {
      const { models, aliases = [] } = (await shop.call('listBikes', { query: k6 })).body
      const name = models?.find(({ model }) => model === 'k6')?.name ?? ''
      return aliases.length > 0
        ? { value: aliases.join('; '), revision: toModelRevision(name, aliases) }
        : undefined
    },
    remove: sql`with removed as (delete from bike_aliases), bikes as (delete from bikes) delete from models`,
    removed: 'BIKE_NOT_FOUND',
  },
  'a shipping rate': {
    save: (name, revision?) =>
      shop.call('saveShippingRate', {
        as: admin,
        params,
        body: { ...standard, name, revision },
      }),
    async read() {
      const [rate] = (await shop.call('listShippingRates', { as: admin })).body
      return rate && { value: rate.name, revision: rate.revision }
    },
    remove: sql`delete from shipping_rates`,
  },
  'a tax rate': {
    save: (label, revision?) =>
      shop.call('saveTaxRate', { as: admin, params, body: { ...sales, label, revision } }),
    async read() {
      const [rate] = (await shop.call('listTaxRates', { as: admin })).body
      return rate && { value: rate.label, revision: rate.revision }
    },
    remove: sql`delete from tax_rates`,
  },
  'a discount code': {
    save: (name, revision?) =>
      shop.call('saveCoupon', { as: admin, params, body: { ...spring, code: `SPRING ${name}`, revision } }),
    async read() {
      const [coupon] = (await shop.call('listCoupons', { as: admin })).body
      return coupon && { value: coupon.code.replace('SPRING ', ''), revision: coupon.revision }
    },
    remove: sql`delete from coupons`,
  },
} satisfies Record<string, Editor>

const countStatuses = (responses: { status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(responses, ({ status }) => status)
      .entries()
      .map(([status, each]) => [status, each.length]),
  )

const countChanges = async () => (await shop.db.selectFrom('changes').select('id').execute()).length

describe.each(Object.entries<Editor>(editors))('%s', (_name, { save, read, remove, removed }) => {
  /** Saves a value, and returns the revision in the list. */
  const add = async (value: string) => {
    expect(await save(value)).toMatchObject({ status: 200 })
    return (await read())?.revision ?? ''
  }

  test('is saved with its revision, and has another one then', async () => {
    const revision = await add('one')
    expect(await save('two', revision)).toMatchObject({ status: 200 })
    const saved = await read()
    expect(saved?.value).toBe('two')
    expect(['', revision]).not.toContain(saved?.revision)
    expect(await save('three', saved?.revision)).toMatchObject({ status: 200 })
  })

  test("is not saved over another admin's change", async () => {
    const revision = await add('one')
    await save('two', revision)
    const before = [await read(), await countChanges()]
    expect(await save('three', revision)).toMatchObject(refused('RECORD_CHANGED'))
    expect(await save('three', '')).toMatchObject(refused('RECORD_CHANGED'))
    expect([await read(), await countChanges()]).toEqual(before)
  })

  test('stays deleted if another admin has deleted it', async () => {
    const revision = await add('one')
    await remove.execute(shop.db)
    const before = await countChanges()
    expect(await save('two', revision)).toMatchObject(refused(removed ?? 'RECORD_CHANGED'))
    expect(await read()).toBeUndefined()
    expect(await countChanges()).toBe(before)
  })

  test('overwrites all changes without a revision', async () => {
    await add('one')
    await add('two')
    expect((await read())?.value).toBe('two')
  })

  test('is saved once of several concurrent requests with one revision', async () => {
    const revision = await add('one')
    const responses = await Promise.all(['two', 'three', 'four'].map((value) => save(value, revision)))
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: 2 })
  })

  test('is saved by a repeated request, whose response was lost', async () => {
    const revision = await add('one')
    await save('two', revision)
    const before = await countChanges()
    expect(await save('two', revision)).toMatchObject({ status: 200 })
    expect(await countChanges()).toBe(before)
  })
})

// A model is added with its bikes.
describe.each(Object.entries<Editor>(editors).filter(([, { removed }]) => !removed))(
  '%s',
  (_name, { save, read }) => {
    test('is added once of several concurrent requests that expect none', async () => {
      const responses = await Promise.all(['one', 'two', 'three'].map((value) => save(value, '')))
      expect(countStatuses(responses)).toEqual({ 200: 1, 409: 2 })
      expect(await read()).toBeDefined()
    })
  },
)

test('an order that uses a discount code does not refuse its editor', async () => {
  const { save, read } = editors['a discount code']
  await save('one')
  const revision = (await read())?.revision
  await sql`update coupons set used = used + 1`.execute(shop.db)
  expect((await save('two', revision)).body).toMatchObject({ used: 1 })
})

test('a size chart of a brand does not refuse the first data of the brand', async () => {
  await editors['a size chart'].save('Corvane, 2026')
  expect(await editors['the data of a brand'].save('Corvane S.r.l.', '')).toMatchObject({ status: 200 })
})
