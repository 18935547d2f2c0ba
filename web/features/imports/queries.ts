import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProductImport } from '../../../contract/imports.ts'
import { call } from '../../api.ts'

const halfASecond = 500

/** Whether the server is still processing the import. */
export const isInProgress = ({ state }: ProductImport): boolean =>
  state === 'reading' || state === 'checking' || state === 'importing'

/** State of an import, polled while it is in progress. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => call('getImport', { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isInProgress(data) ? halfASecond : false),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })

/** Imports a checked file. Reloads after an error as well, because a lost response may have been a success. */
export function useRunImport(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('runImport', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['imports', id] }),
  })
}
