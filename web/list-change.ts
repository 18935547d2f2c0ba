import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Changes a list, and then loads it again. After an error as well: a lost response may have been a success, and another admin
 * may have changed what a refused save would replace. The error does not wait for the list.
 */
export function useListChange<Input, Result>(
  queryKey: QueryKey,
  mutationFn: (input: Input) => Promise<Result>,
) {
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey })
  return useMutation({ mutationFn, onSuccess: reload, onError: () => void reload() })
}
