import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Profile, UserQuery } from '../../../contract/customers.ts'
import { call, callForPage } from '../../api.ts'

const users = ['users'] as const

export const userPageQuery = (query: UserQuery) =>
  queryOptions({
    queryKey: [...users, 'page', query],
    queryFn: ({ signal }) => callForPage('listUsers', { query, signal }),
    placeholderData: keepPreviousData,
  })

export function useMakeAdmin() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => call('makeAdmin', { params: { email }, body: { role: 'admin' } }),
    onSettled: () => void client.invalidateQueries({ queryKey: users }),
  })
}

export function useRemoveAdmin() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => call('removeAdmin', { params: { email } }),
    onSettled: () => void client.invalidateQueries({ queryKey: users }),
  })
}

/** Changes your own profile; a blank field keeps its old value. */
export const useUpdateProfile = (email: string) =>
  useMutation({
    mutationFn: (profile: Profile) => call('updateProfile', { params: { email }, body: profile }),
  })
