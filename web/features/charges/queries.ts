import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { EditedShippingRate } from '../../../contract/shipping.ts'
import { call } from '../../api.ts'

const queryKey = ['shipping-rates'] as const

export const shippingRatesQuery = queryOptions({
  queryKey,
  queryFn: ({ signal }) => call('listShippingRates', { signal }),
})

function useRateChange<Input>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey }) })
}

export const useSaveShippingRate = (id: string) =>
  useRateChange((body: EditedShippingRate) => call('saveShippingRate', { params: { id }, body }))

export const useDeleteShippingRate = () =>
  useRateChange((id: string) => call('deleteShippingRate', { params: { id } }))
