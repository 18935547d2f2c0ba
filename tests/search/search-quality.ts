import { isFulfilled, type ListedProduct, type ResultPage, readResultPage } from './result-page.ts'
import { type RiderQuery, riderQueries } from './rider-queries.ts'

export interface Result extends RiderQuery {
  page: ResultPage
  inFirstThree: boolean
  onFirstPage: boolean
}

const concurrentSearches = 4

/** Searches a running demo shop with all queries of riders, and returns what their pages offer, in the same order. */
export async function searchAll(origin: string): Promise<Result[]> {
  const catalog = JSON.parse(await load(`${origin}/api/products`)) as ListedProduct[]
  const products = new Map(catalog.map((product) => [product._id, product]))
  const unfiltered = readResultPage(await load(`${origin}/products`), '', products)
  const search = async (query: RiderQuery): Promise<Result> => {
    const { q, expect } = query
    const page = readResultPage(await load(`${origin}/products?${new URLSearchParams({ q })}`), q, products)
    // A page with the whole catalog has found nothing.
    if (isSameList(page, unfiltered)) page.top.products = page.whole.products = []
    const inFirstThree = isFulfilled(expect, page.top)
    return { ...query, page, inFirstThree, onFirstPage: isFulfilled(expect, page.whole) }
  }
  const results: Result[] = []
  for (let from = 0; from < riderQueries.length; from += concurrentSearches) {
    results.push(...(await Promise.all(riderQueries.slice(from, from + concurrentSearches).map(search))))
  }
  return results
}

/** Returns the share of the results that are a success, from 0 to 1. */
export const share = (results: Result[], isSuccess: (result: Result) => boolean): number =>
  results.filter(isSuccess).length / results.length

async function load(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return response.text()
}

function isSameList(one: ResultPage, other: ResultPage): boolean {
  const toIds = ({ whole }: ResultPage) => whole.products.map(({ _id }) => _id).join(' ')
  return toIds(one) === toIds(other)
}
