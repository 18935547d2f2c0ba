import * as z from 'zod/mini'
import { line, paging, sortBy, timestamp } from './fields.ts'
import { tag } from './notes.ts'
import { orderSorts, orderTabs } from './order-status.ts'
import { Order } from './orders.ts'

/** `from`, `to`: when the orders were placed, with the start and without the end. `tag`: of a note. */
const filters = {
  tab: z.optional(z.enum(orderTabs)),
  q: z.optional(line(200)),
  from: z.optional(timestamp),
  to: z.optional(timestamp),
  tag: z.optional(tag),
}
export const OrderFilters = z.object(filters)
export type OrderFilters = z.infer<typeof OrderFilters>

/** Orders to ship come oldest payment first, all others newest first. */
export const WorkListQuery = z.object({ ...paging, ...filters, sort: sortBy(orderSorts) })
export type WorkListQuery = z.infer<typeof WorkListQuery>

/** An order in a work list. `tags`: the tags of its notes. `slipPrintedAt`: when its packing slip was printed, in ISO 8601. */
export const WorkOrder = z.extend(Order, {
  number: z.string(),
  tags: z.array(z.string()),
  slipPrintedAt: z.optional(z.string()),
})
export type WorkOrder = z.infer<typeof WorkOrder>

/** `since`: from an earlier answer, to count the orders that came into the list of the tab afterwards. */
export const OrderCountQuery = z.object({ ...filters, since: z.optional(timestamp) })
export type OrderCountQuery = z.infer<typeof OrderCountQuery>

/** A larger number of shipped, cancelled or all orders is not counted. */
export const maxOrderCount = 10_000

export const OrderCounts = z.object({
  toShip: z.int(),
  unpaid: z.int(),
  shipped: z.int(),
  cancelled: z.int(),
  all: z.int(),
  /** Missing without `since`. */
  newer: z.optional(z.int()),
  /** The number at which `shipped`, `cancelled`, `all` and `newer` stop. */
  capped: z.int(),
  /** The time of the shop, in ISO 8601. */
  at: z.string(),
})
export type OrderCounts = z.infer<typeof OrderCounts>
