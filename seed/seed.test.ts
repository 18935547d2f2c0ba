import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkAttributeValues, EditedKindAttributes } from '../contract/attributes.ts'
import { toBikeSlug } from '../contract/bike-urls.ts'
import { sizes } from '../contract/choice.ts'
import { EditedCertificates, EditedSizeChart } from '../contract/gear.ts'
import { toDollars, toWholeCents } from '../contract/money.ts'
import { toAliasKey } from '../server/modules/bikes/rules.ts'
import { attributeValues, kindAttributes } from './attributes.ts'
import { bikeAliases, bikes, inventedBike, listYears } from './bikes.ts'
import { manufacturers, sizeCharts } from './brands.ts'
import { findDemoFitments, fitKinds, partNumbers, replacements } from './fitments.ts'
import { kinds } from './kinds.ts'
import { products } from './products.ts'
import { reviews } from './reviews.ts'

const FOLDER = new URL('../drawings/', import.meta.url)
const OTHER_DRAWINGS = ['hero', 'map', 'no-picture', 'avatar', 'favicon', 'favicon-plain']
const DRAWINGS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.svg'))
  .map((file) => file.replace('.svg', ''))
  .filter((name) => !OTHER_DRAWINGS.includes(name))
const ELEMENTS = ['svg', 'g', 'path', 'circle', 'ellipse', 'rect']
const TOKENS = ['{{tint}}', '{{tint-dark}}', '{{tint-light}}']
const FORBIDDEN = /\b(?:style|class|id|href|src|on\w+)\s*=|url\(|javascript:|<!|<\?/i

const readDrawing = (name: string) => readFileSync(new URL(`${name}.svg`, FOLDER), 'utf8')
const listElements = (svg: string) => [...svg.matchAll(/<([a-z][\w:-]*)/gi)].map((match) => match[1])
const listTokens = (svg: string) => [...svg.matchAll(/\{\{.*?\}\}/g)].map((match) => match[0])

const listStock = (product: (typeof products)[number]): number[] =>
  'gear' in product ? product.gear.flatMap(({ stock }) => stock) : [product.stock]
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

describe('the demo catalog', () => {
  it('has at least 72 products with different names', () => {
    expect(products.length).toBeGreaterThanOrEqual(72)
    expect(new Set(products.map((product) => product.name)).size).toBe(products.length)
  })

  it('has a product for every drawing', () => {
    expect(new Set(products.map((product) => product.drawing))).toEqual(new Set(DRAWINGS))
  })

  it('has a kind of part for every drawing, and another shape for each product of gear, discs and stands', () => {
    expect(Object.keys(kinds).toSorted()).toEqual(DRAWINGS.toSorted())
    const isDrawnOnce = /helmet|jacket|trousers|gloves|boots|protector|disc|stand/
    const drawn = products.map(({ drawing }) => drawing).filter((drawing) => isDrawnOnce.test(drawing))
    expect(new Set(drawn).size).toBe(drawn.length)
  })

  it('uses both categories', () => {
    expect(new Set(products.map((product) => product.category))).toEqual(new Set(['Local', 'Imported']))
  })

  it('has each of the first eight products in stock', () => {
    const scarce = products.slice(0, 8).filter((product) => sum(listStock(product)) < product.minimum * 8)
    expect(scarce).toEqual([])
  })

  it('has valid attributes for each kind, and a value or more for each of its products', () => {
    for (const [kind, attributes = []] of Object.entries(kindAttributes)) {
      expect(EditedKindAttributes.safeParse({ attributes, revision: '' }).success, kind).toBe(true)
      for (const { name } of products.filter((product) => kinds[product.drawing] === kind)) {
        expect(checkAttributeValues(attributes, attributeValues[name] ?? {}), name).toEqual({})
        expect(Object.keys(attributeValues[name] ?? {}), name).not.toEqual([])
      }
    }
    const names = products.filter(({ drawing }) => kinds[drawing] in kindAttributes).map(({ name }) => name)
    expect(Object.keys(attributeValues).toSorted()).toEqual(names.toSorted())
  })

  it.each(products)(
    'has a price, whole numbers of pieces, a colour and a description for $name',
    (product) => {
      expect(product.tint).toMatch(/^[0-9A-F]{6}$/)
      expect(product.price).toBeGreaterThan(0)
      expect(product.price).toBe(toDollars(toWholeCents(product.price)))
      expect(Number.isInteger(product.minimum) && product.minimum >= 1).toBe(true)
      for (const stock of listStock(product)) expect(Number.isInteger(stock) && stock >= 0).toBe(true)
      expect(product.description.split(/[.!?](?:\s|$)/).filter(Boolean).length).toBeGreaterThanOrEqual(2)
    },
  )

  it('has sizes for all gear and for nothing else, with some that are sold out and one that costs more', () => {
    const worn = /helmet|jacket|trousers|gloves|boots|protector/
    const gear = products.flatMap((product) => ('gear' in product ? [product] : []))
    expect(gear).toEqual(products.filter(({ drawing }) => worn.test(drawing)))
    expect(gear.filter(({ minimum }) => minimum !== 1)).toEqual([])
    const colours = gear.flatMap((product) => product.gear)
    expect(colours.some(({ stock }) => stock.includes(0))).toBe(true)
    expect(colours.filter(({ price }) => price !== undefined)).toHaveLength(1)
  })

  it('has certificates for all gear that the form accepts, and none in descriptions', () => {
    for (const product of products) {
      expect(product.description).not.toMatch(/\b(EN|ECE|FIM) ?\d/)
      if (!('gear' in product)) continue
      const { certificates } = product
      expect(certificates.length).toBeGreaterThan(0)
      expect(EditedCertificates.safeParse({ certificates }).error).toBeUndefined()
    }
  })

  it('has several pictures of four products, as the form accepts them', () => {
    const shown = products.flatMap((product) => ('gear' in product && product.details ? [product] : []))
    expect(shown).toHaveLength(4)
    for (const { gear, details = [] } of shown) {
      expect(gear.length).toBeGreaterThan(1)
      for (const { colour, tint } of gear)
        expect([colour, tint]).toEqual([expect.any(String), expect.any(String)])
      for (const { alt } of details) expect(alt.length).toBeLessThanOrEqual(200)
    }
  })

  it('has a manufacturer for each brand, marked as invented, and charts of three makers with the sizes of their gear', () => {
    expect(new Set(manufacturers.map(([brand]) => brand))).toEqual(
      new Set(products.map(({ brand }) => brand)),
    )
    for (const [, manufacturer] of manufacturers)
      expect(manufacturer.name).toContain('invented for this demo')
    expect(new Set(sizeCharts.map(({ brand }) => brand)).size).toBe(3)
    for (const chart of sizeCharts) {
      expect(EditedSizeChart.safeParse(chart).error).toBeUndefined()
      expect(chart.rows.map(({ size }) => size)).toEqual(sizes)
      expect(
        products.filter(({ brand, drawing }) => brand === chart.brand && kinds[drawing] === chart.kind),
      ).not.toEqual([])
    }
  })

  it('has at least 9 reviews, all with a text', () => {
    expect(reviews.length).toBeGreaterThanOrEqual(9)
    for (const review of reviews) {
      expect(review.name).toMatch(/^\p{L}+ \p{L}\.$/u)
      expect(review.designation).not.toBe('')
      expect(review.review.length).toBeGreaterThan(40)
    }
  })
})

describe('the demo fitments', () => {
  const fitted = products.flatMap(({ name, drawing }) => {
    const found = findDemoFitments(name)
    return found ? [{ name, drawing, ...found }] : []
  })

  it('35 parts have fitments, with three notes or more, and two parts are replaced', () => {
    expect(fitted).toHaveLength(35)
    expect(fitted.filter(({ fitments }) => fitments.some(({ note }) => note)).length).toBeGreaterThanOrEqual(
      3,
    )
    expect(fitted.filter(({ drawing }) => fitKinds[kinds[drawing]])).toEqual([])
    const names = new Set(products.map(({ name }) => name))
    expect(Object.entries(replacements).filter((pair) => pair.some((name) => !names.has(name)))).toEqual([])
  })

  it('have five numbers of vehicle makers, and all numbers are visibly invented', () => {
    const numbers = Object.values(partNumbers).flat()
    expect(numbers.filter(({ kind }) => kind === 'oem')).toHaveLength(5)
    expect(numbers.filter(({ kind }) => kind === 'supersedes')).toHaveLength(2)
    expect(numbers.filter(({ number }) => !number.startsWith('DEMO-'))).toEqual([])
    const names = new Set(products.map(({ name }) => name))
    expect(Object.keys(partNumbers).filter((name) => !names.has(name))).toEqual([])
  })

  it('are of demo bikes', () => {
    const known = new Set(
      [...bikes, inventedBike].map(({ make, model }) => `${toBikeSlug(make)}/${toBikeSlug(model)}`),
    )
    const unknown = fitted.flatMap(({ fitments }) =>
      fitments.filter(({ make, model }) => !known.has(`${make}/${model}`)),
    )
    expect(unknown).toEqual([])
  })
})

describe('the demo bikes', () => {
  it.each(bikes)(
    'have each model year of the $make $model once, from 2001 to 2026, and a part for it',
    (bike) => {
      const years = listYears(bike).map(({ year }) => year)
      expect(years).toEqual(Array.from(new Set(years)).toSorted((a, b) => a - b))
      expect(years.filter((year) => year < 2001 || year > 2026)).toEqual([])
      const fits = products.flatMap(({ name }) => findDemoFitments(name)?.fitments ?? [])
      expect(fits.map(({ model }) => model)).toContain(toBikeSlug(bike.model))
    },
  )

  it('have different names, and other names that belong to one known model', () => {
    const models = bikes.map(({ make, model }) => `${make} ${model}`)
    expect(new Set(models).size).toBe(models.length)
    expect(bikeAliases.filter(({ make, model }) => !models.includes(`${make} ${model}`))).toEqual([])
    const named = [...bikes.map(({ model }) => ({ model, aliases: [model] })), ...bikeAliases]
    const keys = named.flatMap(({ model, aliases }) => aliases.map((alias) => [toAliasKey(alias), model]))
    const byKey = Map.groupBy(keys, ([key]) => key)
    const ambiguous = [...byKey].filter(([, all]) => new Set(all.map(([, model]) => model)).size > 1)
    expect(ambiguous).toEqual([])
  })
})

describe('the drawings', () => {
  it.each(DRAWINGS)('%s fits its canvas and 4 KB', (name) => {
    expect(readDrawing(name)).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 400 300" width="800" height="600"/,
    )
    expect(Buffer.byteLength(readDrawing(name))).toBeLessThanOrEqual(4096)
  })

  it('the motorcycle of the home page fits 10 KB', () => {
    expect(Buffer.byteLength(readDrawing('hero'))).toBeLessThanOrEqual(10240)
  })

  it.each(DRAWINGS)('%s is tinted, with known tokens only', (name) => {
    const tokens = listTokens(readDrawing(name))
    expect(tokens).toContain('{{tint}}')
    for (const token of tokens) expect(TOKENS).toContain(token)
  })

  it.each([...DRAWINGS, ...OTHER_DRAWINGS])('%s has only shapes and no references', (name) => {
    for (const element of listElements(readDrawing(name))) expect(ELEMENTS).toContain(element)
    expect(readDrawing(name)).not.toMatch(FORBIDDEN)
  })
})
