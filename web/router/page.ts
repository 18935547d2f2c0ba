import type { ComponentType, ReactNode } from 'react'

export interface PageLocation {
  pathname: string
  search: string
  hash: string
  /** What whoever led here left in the history. */
  state: unknown
}

/** What a page is given; a frame gets what it stands around as its children. */
export interface PageProps<Data = null, Param extends string = never> {
  data: Data
  params: Record<Param, string>
}
export interface LayoutProps {
  children: ReactNode
}

/** What a page says of itself in the head of its document. */
export interface PageMeta {
  title: string
  description: string | undefined
}

/** What a page says to the server. */
export interface PageHandle {
  /** The parameters of the address that the page reads; it never learns of others. */
  parameters: readonly string[]
  /** The path under which search engines shall know a page that is always the same; a loader's `canonical` goes before. */
  canonical?: string
}

/** A file of `web/pages/`. */
export interface RouteModule {
  default: ComponentType<PageProps<never> & LayoutProps>
  meta?: (data: never) => PageMeta
  handle?: PageHandle
}

/** A page with all that it is drawn from. */
export interface Page {
  location: PageLocation
  params: Record<string, string>
  /** From the outside in; without any something stands in for it that tells its status. */
  modules: readonly RouteModule[]
  data: unknown
  status: number
}

/** What the server answers to whoever travels to a page: what it read for it, or where the page is. */
export type PageResult = { data: unknown; status: number } | { redirect: string }

/** What a page's `meta` answers. */
export const pageMeta = (title: string, description?: string): PageMeta => ({ title, description })
