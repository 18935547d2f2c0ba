import type { ComponentType, ReactNode } from 'react'
import { addQuery } from '../../contract/bike-urls.ts'
import type { LoadedSettings, ShopSettings } from '../page-context.ts'
import type { MatchRoute } from './routes.ts'

export interface PageLocation {
  pathname: string
  search: string
  hash: string
  /** `history.state` of this entry. */
  state: unknown
}

/** Props of a page and of a layout. A layout gets the inner page as `children`. */
export interface PageProps<Data = null, Param extends string = never> {
  data: Data
  params: Record<Param, string>
}
export interface LayoutProps {
  children: ReactNode
  /** Shown by a guard instead of the page until the user is known. It is the same for all users. */
  pending: ReactNode
}

/** Content of the document head. */
export interface PageMeta {
  title: string
  description?: string
  /** Path of the page for search engines. Without it they must not index the page. */
  canonical?: string | null
}

/** A page in `web/pages/`, or a layout in `web/layouts/`. */
export interface RouteModule {
  default: ComponentType<PageProps<never> & LayoutProps>
  /** The page until the user is known. By default its title as the heading. */
  Pending?: ComponentType<Pick<PageProps<never>, 'params'>>
  /** The pages of a layout that has its own list of them, and the matcher of their routes. */
  pages?: ModuleFiles
  matchRoute?: MatchRoute
  meta?: (data: never) => PageMeta
  /** The query parameters that the page reads. Others are not part of its cache key. */
  parameters?: readonly string[]
}

/** Functions that load route modules, by their path relative to a folder beside `pages` and `layouts`. */
export type ModuleFiles = Record<string, () => Promise<RouteModule>>

/** A page with everything it is rendered from. */
export interface Page {
  location: PageLocation
  params: Record<string, string>
  /** Layouts from the outside in, then the page. Empty for an error page, which depends on the status. */
  modules: readonly RouteModule[]
  data: unknown
  status: number
  /** A setting that is missing here keeps the value of the previous page. */
  settings?: Partial<ShopSettings>
}

type Result = { data: unknown; status: number } | { redirect: string }

/** Page data as the server reads them, or the path to redirect to. */
export type PageResult = Result & {
  /** The effective query, if the page ignores some values in its URL. */
  search?: string
  settings: LoadedSettings
}

/** Page data as the browser receives them. `settings` is unset if they could not be read. */
export type PageResponse = Result & Pick<Page, 'settings'>

/** A page that is not loaded after this time counts as failed. */
export const loadTimeoutMs = 120_000

/** The URL of a redirect. A path without a query gets the query of the request. */
export const toRedirect = (path: string, search: string): string =>
  path.includes('?') ? path : addQuery(path, search)
