import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api.ts'

/** The orders and customers that match a text. */
export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['desk', 'search', q],
    queryFn: ({ signal }) => call('search', { query: { q }, signal }),
  })

/** A person by email, with or without an account. */
export const customerQuery = (email: string) =>
  queryOptions({
    queryKey: ['desk', 'customer', email],
    queryFn: ({ signal }) => call('getCustomer', { params: { email }, signal }),
  })
