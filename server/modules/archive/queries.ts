import { type Kysely, sql } from 'kysely'
import { maxPastOrders, type PastOrder } from '../../../contract/past-orders.ts'
import type { Database } from '../../../db/schema.ts'
import { containing } from '../../platform/http/paging.ts'
import type { StoredLine } from './rules.ts'

export type StoredOrder = Pick<PastOrder, 'number' | 'email' | 'name' | 'address' | 'status' | 'currency'> & {
  placed_at: Date
  /** Hundredths of the currency. */
  total_cents: number
  lines: StoredLine[]
}

/** Lists the newest orders, one more than are shown. */
async function listOrders(db: Kysely<Database>, isWanted: ReturnType<typeof sql>): Promise<StoredOrder[]> {
  const { rows } = await sql<StoredOrder>`
    select number, email, name, address, status, currency, placed_at, total_cents, lines from past_orders
    where ${isWanted} order by placed_at desc, number desc limit ${maxPastOrders + 1}::integer`.execute(db)
  return rows
}

export const listOrdersOf = (db: Kysely<Database>, email: string): Promise<StoredOrder[]> =>
  listOrders(db, sql`email = ${email.toLowerCase()} and email <> ''`)

/** Finds orders by a whole email, or by a part of the number, the name or the email. */
export function searchOrders(db: Kysely<Database>, q: string): Promise<StoredOrder[]> {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(q)) return listOrdersOf(db, q)
  const pattern = containing(q)
  return listOrders(db, sql`(number ilike ${pattern} or name ilike ${pattern} or email ilike ${pattern})`)
}
