import { type Kysely, sql } from 'kysely'
import { type FacetName, facetNames, priceBandNames, priceBands } from '../contract/product-filters.ts'
import type { Database } from '../db/schema.ts'
import { parseTerms } from '../server/modules/catalog/search/parse-query.ts'
import type { SearchQuery } from '../server/modules/catalog/search/search.ts'
import { readTerms } from '../server/modules/catalog/search/synonyms.ts'

/*
 * Reference product search in plain TypeScript. It reads every product, has rules of its own for words, and uses no
 * dictionary, index, sample, term or count table. Tests compare the search of the shop with it.
 */

interface Product {
  id: string
  name: string
  category: string | null
  stock: number
  minimum: number
  cents: number
  createdAt: number
  fitKind: string
  isFitComplete: boolean
  fits: number[]
  fitsSome: number[]
  /** The values of each facet. */
  facets: Record<FacetName, string[]>
  /** Each once. */
  words: string[]
  numbers: { key: string; isWhole: boolean }[]
}

export interface Reference {
  /** Returns the ids of all matching products in order. */
  findIds(query: SearchQuery): Promise<string[]>
  /** Returns the counts of each facet's values, filtered by the choices of the other facets. */
  countFacets(query: SearchQuery): Record<FacetName, Record<string, number>>
  /** Returns the number of products by their fit for one of the bikes. The chosen fit is ignored. */
  countFits(query: SearchQuery): Record<'fits' | 'some' | 'universal' | 'unconfirmed', number>
}

/** English inflections in the generated catalogs and queries, by hand. Any other word is its own stem. */
const stems: Record<string, string> = {
  brakes: 'brake',
  chains: 'chain',
  floating: 'float',
  gloves: 'glove',
  imported: 'import',
  oils: 'oil',
  pads: 'pad',
  riders: 'rider',
}
const toStem = (word: string) => stems[word] ?? word

const readWords = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** The words of a product. 'X-ring' is x, ring and xring. */
const readProductWords = (text: string) => readWords(`${text} ${text.replaceAll(/[-./'’]/g, '')}`)

/** A typed word of at least three characters may be the beginning of a word. */
const hasWord = ({ words }: Product, typed: string) =>
  words.some((word) => toStem(word) === toStem(typed) || (typed.length >= 3 && word.startsWith(typed)))

/** The terms of a query, each as its words. */
const parseWords = (q: string): string[][] =>
  q.split(/\s+/).flatMap((term) => {
    const words = readWords(term)
    return words.length > 0 ? [words] : []
  })

/** A product must have every term; all its words, or the word that they are without the signs between them. */
function hasAllTerms(product: Product, terms: string[][]): boolean {
  const hasTerm = (words: string[]) =>
    words.every((word) => hasWord(product, word)) || hasWord(product, words.join(''))
  return terms.length > 0 && terms.every(hasTerm)
}

const toKey = (typed: string) => typed.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
/** Returns the normalized part number, or null if the input has no digit or a character that is not A to Z. */
const toPartNumber = (typed: string) => (/^(?=.*\d)[A-Z0-9]{3,40}$/.test(toKey(typed)) ? toKey(typed) : null)

const hasNumber = ({ numbers }: Product, number: string | null) =>
  number !== null && numbers.some(({ key, isWhole }) => (isWhole ? key === number : key.startsWith(number)))
const hasExactNumber = ({ numbers }: Product, number: string | null) =>
  numbers.some(({ key }) => key === number)

/** Returns the products that match a text. */
function findByText(products: Product[], q = ''): Product[] {
  if (q.trim() === '') return products
  const [terms, number] = [parseWords(q), toPartNumber(q)]
  return products.filter((product) => hasAllTerms(product, terms) || hasNumber(product, number))
}

const overlaps = <Value>(some: readonly Value[], others: readonly Value[]) =>
  some.some((value) => others.includes(value))

/** The product has one of the chosen fits for one of the bikes. */
function matchesFit(product: Product, { bikes = [], fit = [] }: SearchQuery): boolean {
  const chosen: string[] = fit.length > 0 ? fit : bikes.length > 0 ? ['fits'] : []
  return (
    chosen.length === 0 ||
    (chosen.includes('fits') && overlaps(product.fits, bikes)) ||
    (chosen.includes('some') && overlaps(product.fitsSome, bikes) && !overlaps(product.fits, bikes)) ||
    (chosen.includes('unconfirmed') &&
      bikes.length > 0 &&
      product.fitKind === 'vehicle' &&
      !product.isFitComplete &&
      !overlaps(product.fits, bikes) &&
      !overlaps(product.fitsSome, bikes)) ||
    (product.fitKind !== 'vehicle' && chosen.includes(product.fitKind))
  )
}

const matchesFacet = (product: Product, query: SearchQuery, name: FacetName) =>
  !query[name]?.length || overlaps<string>(product.facets[name], query[name])

/** The text is ignored. */
const matches = (product: Product, query: SearchQuery, except?: FacetName) =>
  facetNames.every((name) => name === except || matchesFacet(product, query, name)) &&
  matchesFit(product, query)

type SortKey = string | number
const compareKeys = (one: SortKey[], other: SortKey[]): number => {
  const at = one.findIndex((key, index) => key !== other[index])
  return at === -1 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1
}

const sortValues: Record<string, (product: Product) => SortKey> = {
  created: ({ createdAt }) => createdAt,
  name: ({ name }) => name.toLowerCase(),
  price: ({ cents }) => cents,
  quantity: ({ stock }) => stock,
  minimum: ({ minimum }) => minimum,
}

/** Returns the products sorted by `sort`; those without a category are last in both directions. */
function sortProducts(products: Product[], sort = 'created'): Product[] {
  const [by, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  if (by === 'category') {
    const compareCategories = (one: Product, other: Product) =>
      one.category === null || other.category === null
        ? Number(one.category === null) - Number(other.category === null)
        : sign * compareKeys([one.category], [other.category])
    return products.toSorted(
      (one, other) =>
        compareCategories(one, other) || compareKeys([one.createdAt, one.id], [other.createdAt, other.id]),
    )
  }
  const toKeys = (product: Product) => [sortValues[by]?.(product) ?? 0, product.createdAt, product.id]
  return products.toSorted((one, other) => sign * compareKeys(toKeys(one), toKeys(other)))
}

/** Which products match is decided here. Only the rank of each is Postgres's, by the shop's own document and query. */
async function sortByRank(db: Kysely<Database>, products: Product[], q: string): Promise<Product[]> {
  const { query } = await parseTerms(db, readTerms(q))
  const { rows } = await sql<{ id: string; rank: number }>`
    select products.id, ts_rank(document, ${query}::tsquery) as rank from products
    where products.id = any(${products.map(({ id }) => id)})`.execute(db)
  const ranks = new Map(rows.map(({ id, rank }) => [id, rank]))
  const number = toPartNumber(q)
  const toKeys = (product: Product) => [
    -Number(hasExactNumber(product, number)),
    -Number(hasNumber(product, number)),
    -(ranks.get(product.id) ?? 0),
    product.createdAt,
    product.id,
  ]
  return products.toSorted((one, other) => compareKeys(toKeys(one), toKeys(other)))
}

/** Opens the reference search of the products that the database has now. */
export async function openReference(db: Kysely<Database>): Promise<Reference> {
  const products = await readProducts(db)
  return {
    async findIds(query) {
      const { q = '', sort } = query
      const found = findByText(products, q).filter((product) => matches(product, query))
      const sorted = !sort && q.trim() !== '' ? await sortByRank(db, found, q) : sortProducts(found, sort)
      return sorted.map(({ id }) => id)
    },
    countFacets(query) {
      const byText = findByText(products, query.q)
      const toCounts = (name: FacetName) => {
        const counts: Record<string, number> = {}
        const values = byText.flatMap((each) => (matches(each, query, name) ? each.facets[name] : []))
        for (const value of values) counts[value] = (counts[value] ?? 0) + 1
        return [name, counts] as const
      }
      return Object.fromEntries(facetNames.map(toCounts)) as Record<FacetName, Record<string, number>>
    },
    countFits({ fit: _fit, bikes = [], ...query }) {
      const found = findByText(products, query.q).filter((product) => matches(product, query))
      const fits = found.filter((product) => overlaps(product.fits, bikes))
      const some = found.filter(
        (product) => overlaps(product.fitsSome, bikes) && !overlaps(product.fits, bikes),
      )
      const isOpen = (product: Product) => product.fitKind === 'vehicle' && !product.isFitComplete
      return {
        fits: fits.length,
        some: some.length,
        universal: found.filter(({ fitKind }) => fitKind === 'universal').length,
        unconfirmed: found.filter((each) => isOpen(each) && !fits.includes(each) && !some.includes(each))
          .length,
      }
    },
  }
}

async function readProducts(db: Kysely<Database>): Promise<Product[]> {
  const rows = await db.selectFrom('products').selectAll().execute()
  const variants = await db.selectFrom('variants').selectAll().execute()
  const others = await db.selectFrom('part_numbers').select(['product_id', 'number']).execute()
  const variantsByProduct = Map.groupBy(variants, (variant) => variant.product_id)
  const numbersByProduct = Map.groupBy(others, (number) => number.product_id)
  const replacedBy = Map.groupBy(rows, (product) => product.replaced_by)
  const readOlder = (id: string): string[] =>
    (replacedBy.get(id) ?? []).flatMap((older) => [older.id, ...readOlder(older.id)])
  const readSkus = (id: string) =>
    (variantsByProduct.get(id) ?? []).flatMap(({ sku }) => (sku ? [toKey(sku)] : []))

  return rows
    .filter((row) => row.deleted_at === null)
    .map((row) => {
      const { id, name, brand, kind, category, supplier, stock, minimum_quantity: minimum } = row
      const gtins = (variantsByProduct.get(id) ?? []).flatMap(({ gtin }) => (gtin ? [gtin] : []))
      const parts = (numbersByProduct.get(id) ?? []).map(({ number }) => toKey(number))
      const bands = priceBandNames.filter((band) => {
        const [from, below] = priceBands[band]
        return row.price_cents >= from * 100 && row.price_cents < below * 100
      })
      const toList = (value: string | null) => (value === null ? [] : [value])
      return {
        id,
        name,
        category,
        stock,
        minimum,
        cents: row.price_cents,
        createdAt: row.created_at.getTime(),
        fitKind: row.fit_kind,
        isFitComplete: row.fit_complete,
        fits: row.fits,
        fitsSome: row.fits_some,
        facets: {
          category: toList(category),
          kind: toList(kind),
          brand: toList(brand),
          certificate: row.certificate_values,
          price: bands,
          inStock: stock >= minimum ? ['true'] : [],
        },
        words: [
          ...new Set([name, brand, kind, category, supplier].flatMap((text) => readProductWords(text ?? ''))),
        ],
        numbers: [
          ...[...readSkus(id), ...parts].map((key) => ({ key, isWhole: false })),
          ...[...gtins, ...readOlder(id).flatMap(readSkus)].map((key) => ({ key, isWhole: true })),
        ],
      }
    })
}
