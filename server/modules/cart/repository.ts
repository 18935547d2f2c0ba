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

/**
 * Locks a cart until the transaction ends, and returns its lines: first the row of the customer, which also covers an
 * empty cart and which orders do not wait for, then the lines in their lock order (decision 38).
 */
export async function lockCart(tx: Kysely<Database>, customerId: string): Promise<CartRow[]> {
  await tx.selectFrom('customers').select('id').where('id', '=', customerId).forNoKeyUpdate().execute()
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

/** A variant with the values of its product, also if it is removed. */
export type Offer = Awaited<ReturnType<typeof findOffers>>[number]

/** Returns the variants with these ids, in any order. */
export function findOffers(db: Kysely<Database>, variantIds: string[]) {
  return db
    .selectFrom('variants')
    .innerJoin('products', 'products.id', 'variants.product_id')
    .select(['variants.id', 'product_id', 'name', 'options', 'size', 'colour', 'variants.stock'])
    .select(['minimum_quantity', 'fit_kind'])
    .select((eb) => [
      eb.fn.coalesce('variants.image', 'products.image').as('image'),
      eb.fn.coalesce('variants.price_cents', 'products.price_cents').as('price_cents'),
      eb
        .and([eb('removed_at', 'is', null), eb('deleted_at', 'is', null)])
        .$castTo<boolean>()
        .as('is_sold'),
    ])
    .where('variants.id', '=', sql<string>`any(${[...new Set(variantIds)]})`)
    .execute()
}
