import type { PageQueries } from '../page-context.ts'

export interface LoaderRequest {
  /** URL of the page. Its host has no meaning. */
  url: URL
  params: Record<string, string>
  queries: PageQueries
}

/** Data of a page, with the status if it is not 200, or the path to redirect to. */
export type Loaded<Data> = { data: Data; status?: number } | { redirect: string }

/** Reads the data of a page. Runs only on the server; the data are sent to the browser as JSON. */
export type Loader<Data = unknown> = (request: LoaderRequest) => Promise<Loaded<Data>>

/** Type of the data that a loader returns. */
export type LoaderData<Load extends Loader> = Extract<Awaited<ReturnType<Load>>, { data: unknown }>['data']
