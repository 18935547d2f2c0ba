import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bike } from '../../../contract/bikes.ts'
import { decideFit, type FitAnswer, type FitKind, fitKinds } from '../../../contract/fit-answer.ts'
import type { EditedFitment } from '../../../contract/fitments.ts'
import type { ImportKind } from '../../../contract/imports.ts'
import { fitChoices } from '../../../contract/product-filters.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  aPlacedCheckout,
  aProduct,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { invariants } from '../../../tests/hardening/invariants.ts'
import { checkFile, runImport } from '../../../tests/product-import.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'

/*
 * Generated changes of bikes and fitments by every way that the shop has. After each change the derived columns, and at
 * the end list, counts, badges, cart and orders are compared with the pure function.
 */

let shop: TestShop
let admin: TestCustomer
let rider: TestCustomer

beforeAll(async () => {
  // Each run places orders with the same customer.
  shop = await openTestShop({ unpaidOrdersPerCustomer: 1000 })
})
afterAll(() => shop.close())

const models = ['k6', 'town-50'] as const
const years = { min: 2010, max: 2012 }
const versions = ['ABS', 'SP'] as const
const sources = ['shop', 'Maker'] as const
const price = 40

/** A product as the test expects it to be stored. */
interface Part {
  id: string
  sku: string
  fitKind: FitKind
  complete: boolean
  fitments: EditedFitment[]
  isDeleted: boolean
}

type Change =
  | { kind: 'bikes'; model: string; from: number; to: number; version: string; isFile: boolean }
  | { kind: 'save'; part: number; fitKind: FitKind; complete: boolean; fitments: EditedFitment[] }
  | { kind: 'import'; source: string; parts: { part: number; fitments: EditedFitment[] }[] }
  | { kind: 'delete'; part: number }

const part = fc.nat({ max: 4 })
const year = fc.integer(years)
const range = fc.tuple(year, year).map((both) => both.toSorted())

const aFitment = (source: fc.Arbitrary<string>): fc.Arbitrary<EditedFitment> =>
  fc
    .record({
      model: fc.constantFrom(...models),
      range,
      // Stored as it is written, and compared without case.
      version: fc.constantFrom(undefined, ...versions, 'abs'),
      position: fc.constantFrom(undefined, 'front', 'rear'),
      source,
    })
    .map(({ model, range: [yearFrom = 0, yearTo = 0], ...fitment }) => ({
      make: 'hayashi',
      model,
      yearFrom,
      yearTo,
      ...fitment,
    }))
const aList = (source: fc.Arbitrary<string>) =>
  fc.uniqueArray(aFitment(source), { maxLength: 4, selector: (fitment) => JSON.stringify(fitment) })

const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({
        model: fc.constantFrom(...models),
        range,
        version: fc.constantFrom('', ...versions),
        isFile: fc.boolean(),
      })
      .map(({ range: [from = 0, to = 0], ...bikes }) => ({ kind: 'bikes' as const, from, to, ...bikes })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      part,
      fitKind: fc.constantFrom('vehicle' as const, 'vehicle' as const, ...fitKinds),
      complete: fc.boolean(),
      fitments: aList(fc.constantFrom(...sources)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...sources).chain((source) =>
      fc.record({
        kind: fc.constant('import' as const),
        source: fc.constant(source),
        parts: fc.uniqueArray(fc.record({ part, fitments: aList(fc.constant(source)) }), {
          minLength: 1,
          maxLength: 3,
          selector: (row) => row.part,
        }),
      }),
    ),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), part }) },
)

async function openParts(): Promise<Part[]> {
  await shop.database.empty()
  admin = await anAdmin(shop)
  rider = await aCustomer(shop)
  for (const model of models) await addBikes({ model, from: years.min, to: years.min, version: '' })
  const skus = ['P-0', 'P-1', 'P-2', 'P-3', 'P-4']
  return Promise.all(
    skus.map(async (sku) => ({
      id: await aProduct(shop, { sku, price, quantity: 1_000 }),
      sku,
      fitKind: 'vehicle' as const,
      complete: false,
      fitments: [],
      isDeleted: false,
    })),
  )
}

async function addBikes({
  model,
  from,
  to,
  version,
}: {
  model: string
  from: number
  to: number
  version: string
}) {
  const body = { make: 'Hayashi', model, yearFrom: from, yearTo: to, version }
  expect(await shop.call('addBikes', { as: admin, body })).toMatchObject({ status: 200 })
}

async function importFile(kind: ImportKind, lines: string[]) {
  const dryRun = await checkFile(shop, admin, lines.join('\n'), kind)
  expect(dryRun.errors).toEqual([])
  expect(await runImport(shop, admin, dryRun)).toMatchObject({ state: 'done' })
}

/** Makes a change in the shop. Returns the products as they are then. A change that the shop would refuse is left out. */
async function apply(parts: Part[], change: Change): Promise<Part[]> {
  const replace = (index: number, changed: Partial<Part>) =>
    parts.map((part, place) => (place === index ? { ...part, ...changed } : part))
  if (change.kind === 'bikes') {
    const { model, from, to, version, isFile } = change
    if (!isFile) await addBikes(change)
    else await importFile('bikes', [bikeHeader, `Hayashi,${model},${from},${to},${version},,,`])
    return parts
  }
  if (change.kind === 'import') return importFitments(parts, change)
  const part = parts[change.part]
  if (!part || part.isDeleted) return parts
  if (change.kind === 'delete') {
    await shop.call('deleteProduct', { as: admin, query: { id: part.id } })
    return replace(change.part, { isDeleted: true })
  }
  const { fitKind } = change
  const fitments = fitKind === 'vehicle' ? change.fitments : []
  const complete = change.complete && fitments.length > 0
  const { body } = await shop.call('listFitments', { params: { id: part.id } })
  const edited = { fitKind, complete, fitments, revision: body.revision }
  const saved = await shop.call('saveFitments', { params: { id: part.id }, as: admin, body: edited })
  expect(saved).toMatchObject({ status: 200, body: { total: fitments.length } })
  return replace(change.part, { fitKind, complete, fitments })
}

const bikeHeader = 'make,model,year_from,year_to,version,engine_cc,source,aliases'
const fitmentHeader = 'part_number,make,model,year_from,year_to,version,position,source'

async function importFitments(parts: Part[], { source, parts: rows }: Extract<Change, { kind: 'import' }>) {
  const replaced = parts.map((part, index) => {
    const row = rows.find((each) => each.part === index)
    const others = part.fitments.filter((fitment) => fitment.source !== source)
    const fitments = [...others, ...(row?.fitments ?? [])]
    const isAccepted =
      row && !part.isDeleted && part.fitKind === 'vehicle' && (!part.complete || fitments.length > 0)
    return isAccepted ? { part: { ...part, fitments }, row } : { part, row: undefined }
  })
  const lines = replaced.flatMap(({ part: { sku }, row }) => {
    if (row?.fitments.length === 0) return [`${sku},,,,,,,${source}`]
    return (row?.fitments ?? []).map(({ make, model, yearFrom, yearTo, version = '', position = '' }) =>
      [sku, make, model, yearFrom, yearTo, version, position, source].join(','),
    )
  })
  if (lines.length > 0) await importFile('fitments', [fitmentHeader, ...lines])
  return replaced.map(({ part }) => part)
}

async function listBikes(): Promise<Bike[]> {
  const lists = await Promise.all(
    models.map((model) => shop.call('listBikes', { query: { make: 'hayashi', model } })),
  )
  return lists.flatMap(({ body }) => body.bikes ?? [])
}

const toAnswer = ({ fitKind, complete, fitments }: Part, bike: Bike): FitAnswer =>
  decideFit({ fitKind, fitComplete: complete }, bike, fitments).answer

async function expectDerived(parts: Part[], bikes: Bike[], change: Change | null) {
  const toIds = (part: Part, answer: FitAnswer) =>
    bikes
      .filter((bike) => toAnswer(part, bike) === answer)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b)
  const { rows } = await sql<{ id: string }>`
    select id, fits, fits_some from products order by array_position(${parts.map(({ id }) => id)}, id)`.execute(
    shop.db,
  )
  const expected = parts.map((part) => ({
    id: part.id,
    fits: toIds(part, 'fits'),
    fits_some: toIds(part, 'fits_some'),
  }))
  expect(rows, JSON.stringify(change)).toEqual(expected)
}

/** Compares everything that the shop says about a bike. */
async function expectAgreement(parts: Part[], bike: Bike) {
  const sold = parts.filter(({ isDeleted }) => !isDeleted)
  const answers = sold.map((part) => ({ product: part.id, answer: toAnswer(part, bike) }))
  const having = (wanted: FitAnswer) => answers.filter(({ answer }) => answer === wanted)
  const query = { bike: String(bike.id) }

  const choices = {
    fits: 'fits',
    some: 'fits_some',
    universal: 'universal',
    gear: 'gear',
    unconfirmed: 'not_confirmed',
  } as const
  const lists = await Promise.all(
    [undefined, ...fitChoices].map(async (fit) => {
      const { body } = await shop.call('listProducts', { query: fit ? { ...query, fit } : query })
      return body.map(({ _id }) => _id).toSorted()
    }),
  )
  const expected = ['fits' as const, ...fitChoices].map((fit) =>
    having(choices[fit])
      .map(({ product }) => product)
      .toSorted(),
  )
  expect(lists).toEqual(expected)

  const { body: counts } = await shop.call('countProducts', { query })
  const exactly = (answer: FitAnswer) => ({ count: having(answer).length, estimated: false })
  expect(counts).toMatchObject({
    total: having('fits').length,
    fit: {
      fits: exactly('fits'),
      some: exactly('fits_some'),
      universal: exactly('universal'),
      unconfirmed: exactly('not_confirmed'),
    },
  })

  const { body: badges } = await shop.call('listFits', {
    query: { ...query, product: parts.map(({ id }) => id) },
  })
  expect(Object.fromEntries(badges.fits.map(({ product, answer }) => [product, answer]))).toEqual(
    Object.fromEntries(answers.map(({ product, answer }) => [product, answer])),
  )
  for (const { id, isDeleted } of parts) {
    const { body } = await shop.call('getFit', { query: { ...query, product: id } })
    const answer = answers.find(({ product }) => product === id)?.answer
    expect(body).toMatchObject(isDeleted ? { code: 'PRODUCT_NOT_FOUND' } : { answer })
  }

  const ofLines = answers.map(({ answer }) => (answer === 'gear' ? undefined : answer))
  const lines = sold.map(({ id }) => ({ variantId: id, quantity: 1, unitPrice: price, bike: bike.id }))
  const { body: quote } = await shop.call('quoteCart', { body: { lines } })
  expect(quote.lines.map(({ fit }) => fit?.answer)).toEqual(ofLines)
  if (lines.length === 0) return
  const id = await aPlacedCheckout(shop, rider, aCheckout(lines))
  const { body: order } = await shop.call('getOrderDetails', { as: rider, params: { id } })
  // The statement that places an order decides in SQL.
  const ofQuote = quote.lines.map(({ fit }) => fit && [fit.bike.id, fit.answer, fit.position])
  expect(order.lines.map(({ fit }) => fit && [fit.bike.id, fit.answer, fit.position])).toEqual(ofQuote)
}

/** The rules about bikes and fitments. Each hardening check tests the others. */
const fitRules = invariants.filter(({ offenders }) => /\b(bikes|fitments|fits)\b/.test(offenders))

/** Runs in a row that change the same catalog, because a new one takes longer than a run. */
const runsPerCatalog = 10

test('list, counts, badges, cart and orders agree with the rules after any changes', async () => {
  expect(fitRules.length).toBeGreaterThan(2)
  let runs = 0
  let parts: Part[] = []
  let bikes: Bike[] = []
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 2 }), place, async (all, place) => {
      if (runs % runsPerCatalog === 0) {
        parts = await openParts()
        bikes = await listBikes()
        await expectDerived(parts, bikes, null)
      }
      runs += 1
      for (const change of all) {
        parts = await apply(parts, change)
        if (change.kind === 'bikes') bikes = await listBikes()
        await expectDerived(parts, bikes, change)
      }
      const bike = bikes[Math.floor(place * bikes.length)]
      if (bike) await expectAgreement(parts, bike)
      for (const { rule, offenders } of fitRules) {
        expect((await sql.raw(offenders).execute(shop.db)).rows, rule).toEqual([])
      }
    }),
    // To repeat a failure, give its seed, and not its path: a run continues the earlier ones.
    { numRuns: 100, endOnFailure: true },
  )
})
