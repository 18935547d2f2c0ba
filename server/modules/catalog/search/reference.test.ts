import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FitCounts } from '../../../../contract/catalog.ts'
import { facetNames, fitChoices, priceBandNames } from '../../../../contract/product-filters.ts'
import { openTestDatabase, type TestDatabase } from '../../../../tests/database.ts'
import { openRandom, type Random } from '../../../../tests/hardening/random.ts'
import { openReference, type Reference } from '../../../../tests/reference-search.ts'
import { compactCounts, countFacets, type SearchQuery, searchProducts, searchWithFacets } from './search.ts'

/*
 * The search of the shop against the reference implementation, on generated catalogs. Small catalogs are searched
 * exactly. Large ones reach the samples (from 800 hits on), the index scans and the plans of large-results.ts.
 */

let database: TestDatabase
let reference: Reference

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 8 })
})
afterAll(() => database.close())

const words = [
  'Brake',
  'brakes',
  'Oil',
  'Café',
  'X-ring',
  'chain',
  'filter',
  'gloves',
  'floating',
  '520',
  "rider's",
]
const brands = ['Aquila', 'Grauwerk', 'Moegg', "O'Neil \\ Co", 'Zephrane', null]
const certificates = ['EN 17092 AA', 'EN 17092 AAA', 'ECE 22.06', "it's & | ! :* \\ <-> certificate:x"]
const bikes = [1, 2, 10, 12]
const kinds = ['Brake pads', 'Chains', 'Gloves', 'Oils', null]

interface Catalog {
  size: number
  seed: number
  /** Share of the products that have the first word. */
  common: number
  /** How the values of a product depend on its brand: then hits are close together in an order. */
  clustering: 'none' | 'by brand' | 'by kind'
}

const catalogs = (size: fc.Arbitrary<number>): fc.Arbitrary<Catalog> =>
  fc.record({
    size,
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    common: fc.constantFrom(0.1, 0.5, 0.95),
    clustering: fc.constantFrom('none', 'by brand', 'by kind'),
  })

function generateProducts({ size, seed, common, clustering }: Catalog) {
  const random = openRandom(seed)
  const { below, chance, pick } = random
  return Array.from({ length: size }, (_, index) => {
    const [brand, kind] = [pick(brands), pick(kinds)]
    const position = clustering === 'by brand' ? brands.indexOf(brand) : kinds.indexOf(kind)
    const isClustered = clustering !== 'none'
    const hasCommonWord = isClustered ? position === 3 : chance(common)
    const name = [hasCommonWord ? words[0] : '', pick(words), pick(words), index % 7].join(' ').trim()
    return {
      id: Array.from({ length: 24 }, () => below(16).toString(16)).join(''),
      name: isClustered ? `${position} ${name}` : name,
      description: 'x',
      image: '/pictures/oil.svg',
      category: pick(['Local', 'Imported', null] as const),
      supplier: pick(['Northgate', null]),
      brand,
      kind,
      certificate_values: certificates.filter(() => chance(0.1)),
      ...pickFit(random),
      sku: chance(0.5) ? `GR-${index}` : null,
      minimum_quantity: pick([1, 2, 10]),
      stock: pick([0, 1, 5, 50]),
      price_cents: isClustered
        ? 1000 + position * 9000 + pick([0, 100, 1500])
        : pick([900, 2500, 4900, 60_000]),
      // Several products were added at the same time.
      created_at: new Date(
        1_700_000_000_000 + (isClustered ? position * 60_000 : 0) + Math.floor(index / 3) * 1000,
      ),
      deleted_at: chance(0.05) ? new Date() : null,
    }
  })
}

async function fill(catalog: Catalog): Promise<void> {
  await database.empty()
  await addNumbers(await addProducts(catalog))
  await compactCounts(database.db)
  reference = await openReference(database.db)
}

type Generated = ReturnType<typeof generateProducts>

/** A statement has a limited time. */
const rowsAtOnce = 500

/** Adds the products without their part numbers. */
async function addProducts(catalog: Catalog): Promise<Generated> {
  const products = generateProducts(catalog)
  for (let from = 0; from < products.length; from += rowsAtOnce) {
    const batch = products.slice(from, from + rowsAtOnce)
    await database.db
      .insertInto('products')
      .values(batch.map(({ sku: _sku, ...product }) => product))
      .execute()
  }
  return products
}

async function addNumbers(products: Generated): Promise<void> {
  for (let from = 0; from < products.length; from += rowsAtOnce) {
    const batch = products.slice(from, from + rowsAtOnce)
    const numbered = batch.flatMap(({ id, sku }) => (sku ? [{ id, sku }] : []))
    await sql`
      update variants set sku = numbered.sku
      from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) as numbered (id text, sku text)
      where variants.id = numbered.id`.execute(database.db)
  }
  // Some products have a second variant, which has a part number as well.
  await sql`
    insert into variants (id, product_id, position, size, sku, stock)
    select id || '-L', id, 2, 'L', 'XL-' || sku, 0 from variants where sku like '%3'`.execute(database.db)
  // Some have numbers of other makers, and some are replaced by the next one: at most three in a chain.
  await sql`
    insert into part_numbers (product_id, kind, maker, number)
    select id, 'oem', 'Honda', 'H 12-' || sku from variants where sku like '%2'
    union all
    select id, 'interchange', 'Brembana', sku || '.x' from variants where sku like '%4'
    union all
    select id, 'supersedes', '', 'Old ' || right(sku, 2) from variants where sku like '%5'`.execute(
    database.db,
  )
  await sql`
    update products set replaced_by = next.id
    from (select id, lead(id) over (order by id) as next_id, row_number() over (order by id) as number from products)
        as numbered join products as next on next.id = next_id
    where products.id = numbered.id and number % 4 in (1, 2)`.execute(database.db)
}

/** The derived columns of a product. The search reads only them, not the fitments. */
function pickFit({ chance, pick }: Random) {
  const fit_kind = pick(['vehicle', 'vehicle', 'vehicle', 'universal', 'gear'] as const)
  const choose = (share: number) => bikes.filter(() => fit_kind === 'vehicle' && chance(share))
  const fits = choose(0.3)
  const fits_some = choose(0.1).filter((bike) => !fits.includes(bike))
  return { fit_kind, fits, fits_some, fit_complete: fits.length > 0 && chance(0.3) }
}

const rarely = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const chosen = <Value extends string>(values: readonly Value[]) =>
  rarely(
    fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }).map((all) => all.toSorted()),
  )
const isText = (value: string | null): value is string => value !== null

const queries: fc.Arbitrary<SearchQuery> = fc.record(
  {
    bikes: rarely(fc.uniqueArray(fc.constantFrom(...bikes, 99), { minLength: 1, maxLength: 2 })),
    fit: chosen(fitChoices),
    q: fc.option(
      fc.oneof(
        fc.constantFrom(
          'brake',
          'BRAKES',
          'oil',
          'caf',
          'xring',
          'x-ring',
          'float',
          '520',
          'gr-1',
          'GR 12',
          'gr.1.4x',
          'h12',
          'H-12 GR-22',
          'old-15',
          'northgate',
          '!',
        ),
        fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((both) => both.join(' ')),
      ),
      { nil: undefined },
    ),
    sort: fc.constantFrom(
      undefined,
      'name',
      '-name',
      'price',
      '-price',
      'created',
      '-created',
      '-quantity',
      'minimum',
      'category',
    ),
    page: fc.constantFrom(1, 1, 1, 2, 5),
    pageSize: fc.constantFrom(1, 7, 24, 200),
    category: chosen(['Local', 'Imported']),
    kind: chosen([...kinds.filter(isText), 'Nothing']),
    brand: chosen(brands.filter(isText)),
    certificate: chosen(certificates),
    price: chosen(priceBandNames),
    inStock: rarely(fc.constant(['true'])),
  },
  { noNullPrototype: true },
)

/** Compares one answer with the reference. */
async function compare(query: SearchQuery): Promise<{ differences: string[]; estimated: boolean }> {
  const { db } = database
  const [result, facets, together, all] = await Promise.all([
    searchProducts(db, query),
    countFacets(db, query),
    searchWithFacets(db, query, async (ids) => ids),
    reference.findIds(query),
  ])
  const counts = reference.countFacets(query)
  const fits = reference.countFits(query)
  const { page = 1, pageSize = 1000 } = query
  const { ids, total, estimated } = result
  const expected = all.slice((page - 1) * pageSize, page * pageSize)
  // Best match of many: other hits may come first, but the page is full of different hits.
  const isBestMatch = estimated && !query.sort
  const known = new Set(all)
  const isPage = isBestMatch
    ? new Set(ids.filter((id) => known.has(id))).size === expected.length && ids.length === expected.length
    : isSame(ids, expected)
  const checks =
    result.searchedFor === undefined
      ? {
          total: estimated ? isNear(total, all.length) : total === all.length,
          ids: isPage,
          reachableTotal: isReachable(result, all.length),
          facetTotal: facets.total === total,
          fits: query.bikes === undefined || isFitCounted(facets.fit, fits),
          ...Object.fromEntries(
            facetNames.map((name) => [name, isCounted(facets.facets[name], counts[name])]),
          ),
        }
      : { correctedOnlyIfNothingMatches: all.length === 0 }
  const isTogether = isSame(together, { page: result, rows: ids, facets })
  const differences = Object.entries({ ...checks, isTogether }).flatMap(([name, isRight]) =>
    isRight ? [] : [`${name} of ${JSON.stringify(query)}: ${total} for ${all.length}`],
  )
  return { differences, estimated }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function isCounted(
  { values, estimated }: { values: { value: string; count: number }[]; estimated: boolean },
  exact: Record<string, number>,
): boolean {
  if (estimated) {
    const counts = Object.fromEntries(values.map(({ value, count }) => [value, count]))
    // A value with few hits may have none in the sample.
    return Object.keys({ ...counts, ...exact }).every((value) =>
      isNear(counts[value] ?? 0, exact[value] ?? 0),
    )
  }
  const isExact = values.every(({ value, count }) => exact[value] === count)
  return isExact && values.length === Object.keys(exact).length
}

function isFitCounted(counted: FitCounts | undefined, exact: Record<keyof FitCounts, number>): boolean {
  return (['fits', 'some', 'universal', 'unconfirmed'] as const).every((name) => {
    const { count, estimated } = counted?.[name] ?? { count: -1, estimated: false }
    return estimated ? isNear(count, exact[name]) : count === exact[name]
  })
}

/** With an estimate, the pages have no end without hits, and show more than a third: three quarters of the lowest estimate. */
const isReachable = (
  { reachableTotal, total, estimated }: Awaited<ReturnType<typeof searchProducts>>,
  hits: number,
) => (estimated ? reachableTotal >= hits / 3 && reachableTotal <= hits : reachableTotal === total)

/** One in four is sampled: six standard deviations, and the rounding to two digits. */
const isNear = (count: number, exact: number) =>
  Math.abs(count - exact) <= 6 * Math.sqrt(3 * exact) + 0.05 * exact

test('a small catalog is searched, sorted and counted like the reference', async () => {
  await fc.assert(
    fc.asyncProperty(
      catalogs(fc.integer({ min: 0, max: 80 })),
      fc.array(queries, { minLength: 15, maxLength: 15 }),
      async (catalog, queries) => {
        await fill(catalog)
        for (const query of queries)
          expect(await compare(query)).toEqual({ differences: [], estimated: false })
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
})

test('a large catalog is sorted like the reference, and estimates are within their bounds', async () => {
  let estimates = 0
  await fc.assert(
    fc.asyncProperty(
      catalogs(fc.constant(3_000)),
      fc.array(queries, { minLength: 20, maxLength: 20 }),
      async (catalog, queries) => {
        await fill(catalog)
        const common = queries.map((query, index) => (index % 3 === 0 ? { ...query, q: 'brake' } : query))
        // Without filters it has enough hits for an estimate in each catalog.
        for (const query of [{ q: 'brake' }, ...common]) {
          const { differences, estimated } = await compare(query)
          expect(differences).toEqual([])
          if (estimated) estimates += 1
        }
      },
    ),
    { numRuns: 3, endOnFailure: true },
  )
  expect(estimates).toBeGreaterThan(0)
}, 240_000)

test('16,000 hits are estimated from one product in 64, and the first page has its best hits', async () => {
  await database.empty()
  await addProducts({ size: 15_500, seed: 5, common: 1, clustering: 'none' })
  reference = await openReference(database.db)
  const hits = await reference.findIds({ q: 'brake' })
  // 200 hits in the sample, on average, and some more.
  expect(hits.length).toBeGreaterThan(64 * 220)
  const { ids, total, estimated } = await searchProducts(database.db, { q: 'brake', pageSize: 24 })
  expect(estimated).toBe(true)
  expect(Math.abs(total - hits.length)).toBeLessThan(6 * Math.sqrt(63 * hits.length) + 0.05 * hits.length)
  expect(new Set(ids.filter((id) => id < '04' && hits.includes(id))).size).toBe(24)
})
