/** What products are filtered by. Stands apart from the schemas, so that pages take no parser along. */
export const facetNames = ['category', 'kind', 'brand', 'price', 'inStock'] as const
export type FacetName = (typeof facetNames)[number]

/** Every parameter that the address of the product list knows; it pays no heed to any other. */
export const productParameters = ['q', ...facetNames, 'sort', 'page'] as const

/** The bands that prices are filtered by, in dollars: from, and below; `price_band` in SQL counts them from 0. */
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
