import type { PageQueries } from '../page-context.ts'

export interface LoaderRequest {
  /** The page's address; its host says nothing. */
  url: URL
  params: Record<string, string>
  queries: PageQueries
}

/** What a page is drawn from, with its status where that is not 200; or the path where the page is now. */
export type Loaded<Data> = { data: Data; status?: number } | { redirect: string }

/** Reads what a page shows. Loaders run on the server alone; their data go to the browser as JSON. */
export type Loader<Data = unknown> = (request: LoaderRequest) => Promise<Loaded<Data>>

/** The data that a loader's page is drawn from. */
export type LoaderData<Load extends Loader> = Extract<Awaited<ReturnType<Load>>, { data: unknown }>['data']
