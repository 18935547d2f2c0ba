import type { productParameters } from '../../../contract/product-filters.ts'
import { changeParameters } from '../../router/navigation.ts'

type Parameter = (typeof productParameters)[number]

export const listPath = '/products'

/** URL of the same list with other parameters. An empty value removes the parameter. */
export const listLink = (search: string, changes: Partial<Record<Parameter, string>>): string =>
  toListUrl(changeParameters(search, changes))

/** URL of a list with these parameters. */
export const toListUrl = (parameters: URLSearchParams) => `${listPath}?${parameters}`.replace(/\?$/, '')
