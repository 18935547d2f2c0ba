import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RouteName } from '../contract/routes.ts'
import { callForPage, type Query, type Sent } from './api.ts'

/** Returns the query of a list page. The rows of the page before are shown until it is loaded. */
export const pageQuery =
  <Name extends RouteName>(name: Name, key: readonly string[]) =>
  (query: Query<Name>) =>
    queryOptions({
      queryKey: [...key, query],
      queryFn: ({ signal }) => callForPage(name, { query, signal } as unknown as Sent<Name>),
      placeholderData: keepPreviousData,
    })
