import { nameOrder } from '../../../contract/order-number.ts'
import type { OrderStatus } from '../../../contract/order-status.ts'
import type { Return, WithdrawalReceipt } from '../../../contract/returns.ts'
import { presentFit } from '../orders/service.ts'
import type { ListedReturn, ReturnRow } from './queries.ts'

/** Article 13 of Directive 2011/83/EU. */
const refundDays = 14
/** Of these orders there is nothing to refund. */
const unpaidStatuses: (OrderStatus | null)[] = ['unpaid', 'cancelled']

/** The number that the customer writes on the parcel. */
export const toReturnNumber = (id: string): string => `R-${id.slice(0, 6)}`

export const presentReturn = (row: ListedReturn): Return => ({
  id: row.id,
  number: toReturnNumber(row.id),
  orderId: row.order_id ?? undefined,
  orderNumber: row.order_number,
  email: row.email,
  name: row.name,
  withdrawal: row.is_withdrawal,
  status: row.status,
  note: row.note,
  reply: row.reply,
  requestedAt: row.requested_at.toISOString(),
  refundBy:
    row.is_withdrawal && row.status !== 'rejected' && !unpaidStatuses.includes(row.order_status)
      ? new Date(row.requested_at.getTime() + refundDays * 24 * 3_600_000).toISOString()
      : undefined,
  lines: row.lines.map((line) => ({
    line: line.line_number,
    name: line.name,
    pieces: line.pieces,
    reason: line.reason ?? undefined,
    refundedPieces: line.refunded_pieces,
    fit: presentFit(line),
  })),
  candidates: row.candidates.map(({ id, status, placed_at }) => ({
    id,
    status,
    placedAt: placed_at === null ? undefined : new Date(placed_at).toISOString(),
  })),
})

export const presentReceipt = (row: ReturnRow): WithdrawalReceipt => ({
  receivedAt: row.requested_at.toISOString(),
  statement: toStatement({ ...row, order: nameOrder(row.order_number) }),
})

/** Returns a withdrawal in the words of the law. `order`: its number with `#`, or what the buyer has typed. */
export const toStatement = ({ name, order, note }: Pick<ReturnRow, 'name' | 'note'> & { order: string }) =>
  `${name} withdraws from the contract for order ${order}${note && `, for these items: ${note}`}.`
