import { queryOptions } from '@tanstack/react-query'
import type { EditedCoupon } from '../../../contract/coupons.ts'
import type { EditedShippingRate } from '../../../contract/shipping.ts'
import type { EditedTaxRate } from '../../../contract/tax.ts'
import { call } from '../../api.ts'
import { useListChange } from '../../list-change.ts'
import { pageQuery } from '../../page-query.ts'

const queryKey = ['charges'] as const

export const shippingRatesQuery = queryOptions({
  queryKey: [...queryKey, 'shipping'],
  queryFn: ({ signal }) => call('listShippingRates', { signal }),
})

export const taxRatesQuery = queryOptions({
  queryKey: [...queryKey, 'tax'],
  queryFn: ({ signal }) => call('listTaxRates', { signal }),
})

export const couponPageQuery = pageQuery('listCoupons', [...queryKey, 'coupons'])

const useChange = <Input>(change: (input: Input) => Promise<unknown>) => useListChange(queryKey, change)

export const useSaveShippingRate = (id: string) =>
  useChange((body: EditedShippingRate) => call('saveShippingRate', { params: { id }, body }))

export const useDeleteShippingRate = () =>
  useChange((id: string) => call('deleteShippingRate', { params: { id } }))

export const useSaveTaxRate = (id: string) =>
  useChange((body: EditedTaxRate) => call('saveTaxRate', { params: { id }, body }))

export const useDeleteTaxRate = () => useChange((id: string) => call('deleteTaxRate', { params: { id } }))

export const useSaveCoupon = (id: string) =>
  useChange((body: EditedCoupon) => call('saveCoupon', { params: { id }, body }))
