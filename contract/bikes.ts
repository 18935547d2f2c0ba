/** The fitments on a page of their own. */
export const fitmentsPerPage = 200
/** The fitments on the page of the product. */
export const maxFitmentsOnProductPage = 40

/** Returns the path of the page of all makes, of a make, of a model, or of one of its years. */
export const bikePath = (...slugs: [make?: string, model?: string, year?: number]): string =>
  ['/bikes', ...slugs.map((slug) => encodeURIComponent(`${slug}`))].join('/')

/** Returns a range of years as text. */
export const toYears = ({ yearFrom, yearTo }: { yearFrom: number; yearTo: number }): string =>
  yearFrom === yearTo ? `${yearFrom}` : `${yearFrom}–${yearTo}`
