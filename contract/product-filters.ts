/** Price ranges of the filter in dollars; the end is exclusive. `product_terms` in SQL has the same ranges. */
export const priceBands = {
  '0-25': [0, 25],
  '25-50': [25, 50],
  '50-100': [50, 100],
  '100-250': [100, 250],
  '250-500': [250, 500],
  '500-': [500, Number.POSITIVE_INFINITY],
} as const
export type PriceBand = keyof typeof priceBands
export const priceBandNames = Object.keys(priceBands) as PriceBand[]

interface Facet {
  /** Parameter name in URLs, and prefix of the terms in `products.terms`. */
  name: string
  title: string
  /** Whether several values can be chosen: a product matches if it has one of them. */
  multiple: boolean
  /** All values in display order. Without this list any text is a value, and values are sorted by count. */
  values?: readonly string[]
}

/** The filters of the product list. A new facet also needs its terms in the SQL function `product_terms`. */
export const facets = [
  { name: 'category', title: 'Origin', multiple: true, values: ['Local', 'Imported'] },
  { name: 'kind', title: 'Kind of part', multiple: true },
  { name: 'brand', title: 'Brand', multiple: true },
  { name: 'certificate', title: 'Certificate', multiple: true },
  { name: 'price', title: 'Price', multiple: true, values: priceBandNames },
  { name: 'inStock', title: 'Availability', multiple: false, values: ['true'] },
] as const satisfies readonly Facet[]
export type FacetName = (typeof facets)[number]['name']
export const facetNames = facets.map(({ name }) => name)
/** Facets that people search for on the web: a list with one such value has a canonical path. */
export const landingFacets = ['kind', 'brand', 'category'] as const satisfies readonly FacetName[]
/** The facets, and the attributes of the chosen kind of part. */
export const filterNames = [...facetNames, 'attribute'] as const
export const toFacet = (name: FacetName): Facet => facets.find((facet) => facet.name === name) ?? facets[0]

/** The chosen values of each facet. An attribute has choices such as `Length:140..150`. */
export type Chosen = Partial<Record<(typeof filterNames)[number], string[]>>
export const maxChosenValues = 20

/**
 * The filter by fit. `fits`, `some` (fits some versions) and `unconfirmed` (the shop does not know) need a bike, and `fits` is
 * chosen if there is only a bike. A product with `universal` or `gear` has that fit for every bike.
 */
export const fitChoices = ['fits', 'some', 'universal', 'gear', 'unconfirmed'] as const
export type FitChoice = (typeof fitChoices)[number]

/**
 * Every parameter of the product list in a URL. Other parameters are ignored. `plain`: the words name no bike, they are
 * only words.
 */
export const productParameters = ['q', 'bike', 'fit', ...filterNames, 'plain', 'sort', 'page'] as const
