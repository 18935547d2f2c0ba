import {
  type Chosen,
  type FacetName,
  type FitChoice,
  filterNames,
  toFacet,
} from '../../../contract/product-filters.ts'
import { usePendingUrl } from '../../router/router.tsx'
import { listPath, toListUrl } from './list-links.ts'

/** URL of the same list with this value of a facet or attribute chosen, or not chosen if it was. */
export function toggleLink(search: string, name: FacetName | 'attribute', value: string): string {
  const next = new URLSearchParams(search)
  const chosen = next.getAll(name)
  next.delete(name)
  // They belong to the chosen kind.
  if (name === 'kind') next.delete('attribute')
  const others =
    name === 'attribute' || toFacet(name).multiple ? chosen.filter((other) => other !== value) : []
  const values = chosen.includes(value) ? others : [...others, value].toSorted()
  for (const one of values) next.append(name, one)
  return toListUrl(next)
}

/** URL of the same list with this fit chosen, or not chosen if it was. Without a choice, `fits` is chosen. */
export function toggleFitLink(search: string, chosen: FitChoice[], value: FitChoice): string {
  const next = new URLSearchParams(search)
  next.delete('fit')
  const values = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
  if (values.join(' ') !== 'fits') for (const one of values.toSorted()) next.append('fit', one)
  return toListUrl(next)
}

/** Filters, words and order of a list. */
export interface ListChoice {
  q: string
  sort: string
  chosen: Chosen
  /** Id of a bike. */
  bike: number | undefined
  fit: FitChoice[]
  /** The words name no bike. */
  plain: boolean
  /** All of it as a query string. */
  search: string
}

/** The choice of the list that is being loaded, or else of the one that is shown: each link changes the latest choice. */
export function useLatestChoice(shown: ListChoice): ListChoice {
  const next = usePendingUrl()
  if (next?.pathname !== listPath) return shown
  const parameters = new URLSearchParams(next.search)
  parameters.delete('page')
  return {
    q: parameters.get('q') ?? '',
    sort: parameters.get('sort') ?? '',
    chosen: Object.fromEntries(filterNames.map((name) => [name, parameters.getAll(name)])),
    bike: Number(parameters.get('bike')) || undefined,
    fit: parameters.getAll('fit') as FitChoice[],
    plain: parameters.has('plain'),
    search: `${parameters}`,
  }
}
