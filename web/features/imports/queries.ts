import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProductImport } from '../../../contract/imports.ts'
import { call } from '../../api.ts'

const halfASecond = 500

/** Whether the shop is at work on it. */
export const isInProgress = ({ state }: ProductImport): boolean =>
  state === 'reading' || state === 'checking' || state === 'importing'

/** How far an import has come; asked for again until it rests. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => call('getImport', { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isInProgress(data) ? halfASecond : false),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })

/** Imports a file that was checked. Even after a failure it is looked at again: a lost answer may have been a yes. */
export function useRunImport(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('runImport', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['imports', id] }),
  })
}
