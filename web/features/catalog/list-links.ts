import {
  type FacetName,
  type FitChoice,
  type productParameters,
  toFacet,
} from '../../../contract/product-filters.ts'
import { changeParameters } from '../../router/navigation.ts'

type Parameter = (typeof productParameters)[number]

/** URL of the same list with other parameters. An empty value removes the parameter. */
export const listLink = (search: string, changes: Partial<Record<Parameter, string>>): string =>
  toUrl(changeParameters(search, changes))

/** URL of the same list with this value of a facet chosen, or not chosen if it was. */
export function toggleLink(search: string, name: FacetName, value: string): string {
  const next = new URLSearchParams(search)
  const chosen = next.getAll(name)
  next.delete(name)
  const others = toFacet(name).multiple ? chosen.filter((other) => other !== value) : []
  const values = chosen.includes(value) ? others : [...others, value].toSorted()
  for (const one of values) next.append(name, one)
  return toUrl(next)
}

/** URL of the same list with this fit chosen, or not chosen if it was. Without a choice, `fits` is chosen. */
export function toggleFitLink(search: string, chosen: FitChoice[], value: FitChoice): string {
  const next = new URLSearchParams(search)
  next.delete('fit')
  const values = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
  if (values.join(' ') !== 'fits') for (const one of values.toSorted()) next.append('fit', one)
  return toUrl(next)
}

const toUrl = (parameters: URLSearchParams) => (parameters.size > 0 ? `/products?${parameters}` : '/products')
