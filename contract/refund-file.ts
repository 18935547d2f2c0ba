import * as z from 'zod/mini'
import { ExportQuery } from './imports.ts'
import { RefundFilters } from './payments.ts'

/** The columns of the file of refunds, in this sequence. New ones are added at the end only. */
export const refundFileColumns = [
  'order',
  'number',
  'created_at',
  'kind',
  'status',
  'name',
  'email',
  'reason',
  'pieces',
  'total',
  'tax',
  'transaction_id',
  'refund_id',
  'note',
] as const
export type RefundFileColumn = (typeof refundFileColumns)[number]

export const RefundFileQuery = z.object({ ...ExportQuery.shape, ...RefundFilters.shape })
export type RefundFileQuery = z.infer<typeof RefundFileQuery>
