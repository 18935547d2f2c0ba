import { toSlug } from './product.ts'

/** The fitments on a page of their own. */
export const fitmentsPerPage = 200
/** The fitments on the page of the product. */
export const maxFitmentsOnProductPage = 40

export const bikeIdPattern = /^[1-9]\d{0,8}$/

/** Returns the path of a bike page: all makes, one make, one model, or one of its years. */
export const bikePath = (
  ...slugs: [make?: string, model?: string | null, year?: number | string | undefined]
): string => ['/bikes', ...slugs.flatMap((slug) => (slug ? encodeURIComponent(slug) : []))].join('/')

/** Returns the id of the bike in the query of a URL, or null. */
export function readBikeId(search: string): number | null {
  const text = new URLSearchParams(search).get('bike') ?? ''
  return bikeIdPattern.test(text) ? Number(text) : null
}

/** Returns a URL with the bike for which the next page judges the fit. */
export const withBike = (url: string, bike: number | null): string =>
  bike === null ? url : addQuery(url, `${url.includes('?') ? '&' : '?'}bike=${bike}`)

/** Adds a query to a URL, before its fragment. */
export const addQuery = (url: string, query: string): string => url.replace(/(?=#|$)/, () => query)

/** Returns a range of years as text. */
export const toYears = ({ yearFrom, yearTo }: { yearFrom: number; yearTo: number }): string =>
  yearFrom === yearTo ? `${yearFrom}` : `${yearFrom}–${yearTo}`

/** Returns the slug of a make or model. A plus sign is a word of it: Tracer 9 GT and Tracer 9 GT+ are two models. */
export const toBikeSlug = (name: string): string => toSlug(name.replaceAll('+', ' plus '))
