import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { CartLinesTable, Database } from '../../../db/schema.ts'

export type CartRow = Selectable<CartLinesTable>
export type LineKey = Pick<CartRow, 'variant_id' | 'size' | 'colour'>
export type NewCartRow = Omit<Insertable<CartLinesTable>, 'customer_id' | 'added_at'>

const lineColumns = [
  'customer_id',
  'variant_id',
  'size',
  'colour',
  'quantity',
  'unit_price_cents',
  'bike_id',
  'last_addition',
  'earlier_additions',
  'added_at',
] as const satisfies (keyof CartLinesTable)[]

const selectLines = (db: Kysely<Database>, customerId: string) =>
  db.selectFrom('cart_lines').select(lineColumns).where('customer_id', '=', customerId)

/** Returns the lines of a cart, oldest first. */
export function listLines(db: Kysely<Database>, customerId: string): Promise<CartRow[]> {
  return selectLines(db, customerId)
    .orderBy('added_at')
    .orderBy('variant_id')
    .orderBy('size')
    .orderBy('colour')
    .execute()
}

/** Locks the lines of a cart in their lock order (decision 38), and returns them. */
export function lockLines(tx: Kysely<Database>, customerId: string): Promise<CartRow[]> {
  return selectLines(tx, customerId)
    .orderBy('variant_id')
    .orderBy('size')
    .orderBy('colour')
    .forUpdate()
    .execute()
}

/** Adds lines to a locked cart, in this order. A line that exists keeps its price and gets the quantity and the bike. */
export async function writeLines(
  tx: Kysely<Database>,
  customerId: string,
  lines: NewCartRow[],
): Promise<void> {
  if (lines.length === 0) return
  await tx
    .insertInto('cart_lines')
    .values(
      lines.map((line, index) => ({
        ...line,
        customer_id: customerId,
        added_at: sql<Date>`now() + ${index} * interval '1 microsecond'`,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['customer_id', 'variant_id', 'size', 'colour']).doUpdateSet((eb) => ({
        quantity: eb.ref('excluded.quantity'),
        bike_id: eb.ref('excluded.bike_id'),
        earlier_additions: sql<string[]>`
          case when excluded.last_addition is null then cart_lines.earlier_additions
          else (array_remove(cart_lines.last_addition || cart_lines.earlier_additions, null))[1:4] end`,
        last_addition: eb.fn.coalesce('excluded.last_addition', 'cart_lines.last_addition'),
      })),
    )
    .execute()
}

/** Deletes lines of a locked cart. */
export async function deleteLines(tx: Kysely<Database>, customerId: string, lines: LineKey[]): Promise<void> {
  for (const { variant_id, size, colour } of lines) {
    await tx
      .deleteFrom('cart_lines')
      .where((eb) => eb.and({ customer_id: customerId, variant_id, size, colour }))
      .execute()
  }
}
