import * as z from 'zod/mini'
import { ExportQuery } from './imports.ts'
import { OrderFilters } from './work-lists.ts'

/** The columns of the file of order lines, in this sequence. New ones are added at the end only. */
export const orderFileColumns = [
  'order',
  'number',
  'placed_at',
  'paid_at',
  'shipped_at',
  'status',
  'name',
  'email',
  'country',
  'region',
  'postal_code',
  'city',
  'line',
  'kind',
  'part_number',
  'product',
  'size',
  'colour',
  'quantity',
  'unit_price',
  'total',
  'tax',
  'transaction_id',
] as const
export type OrderFileColumn = (typeof orderFileColumns)[number]

export const OrderFileQuery = z.object({ ...ExportQuery.shape, ...OrderFilters.shape })
export type OrderFileQuery = z.infer<typeof OrderFileQuery>
