import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SavedAddress } from '../../../contract/addresses.ts'
import { call } from '../../api.ts'

/** The saved addresses of the signed-in customer, oldest first. The id separates the customers of one browser. */
export const addressesQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['addresses', customerId],
    queryFn: ({ signal }) => call('listAddresses', { signal }),
  })

/** A mutation that makes a call for an address, and shows the list that it returns. */
export function useAddressChange(customerId: string) {
  const client = useQueryClient()
  const { queryKey } = addressesQuery(customerId)
  return useMutation({
    mutationFn: (change: () => Promise<SavedAddress[]>) => change(),
    onSuccess: (addresses) => client.setQueryData(queryKey, addresses),
    // The list may be outdated: another device may have changed it.
    onError: () => void client.invalidateQueries({ queryKey }),
  })
}
