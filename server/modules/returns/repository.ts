import type { Insertable, Kysely } from 'kysely'
import type { Database, ReturnLinesTable, ReturnsTable } from '../../../db/schema.ts'
import { hasNothingToDecide, type ReturnRow, returnColumns } from './queries.ts'

/** Returns undefined, without any change, if the idempotency key was used before. Waits for a concurrent insert with it. */
export async function insertReturn(
  db: Kysely<Database>,
  row: Insertable<ReturnsTable>,
  lines: Omit<Insertable<ReturnLinesTable>, 'return_id'>[],
): Promise<ReturnRow | undefined> {
  const inserted = await db
    .insertInto('returns')
    .values(row)
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .returning(returnColumns)
    .executeTakeFirst()
  if (inserted && lines.length > 0) {
    const rows = lines.map((line) => ({ ...line, return_id: row.id }))
    await db.insertInto('return_lines').values(rows).execute()
  }
  return inserted
}

/** Returns a return and locks it until the end of the transaction. Lock its order first. */
export const lockReturn = (db: Kysely<Database>, id: string): Promise<ReturnRow | undefined> =>
  db.selectFrom('returns').select(returnColumns).where('id', '=', id).forUpdate().executeTakeFirst()

export async function updateReturn(
  db: Kysely<Database>,
  id: string,
  values: Partial<Pick<ReturnRow, 'status' | 'reply' | 'order_id'>>,
): Promise<void> {
  await db.updateTable('returns').set(values).where('id', '=', id).execute()
}

/** Closes the withdrawals from orders that were cancelled, and refunded in full if paid: nothing is left to decide. */
export async function closeCancelled(db: Kysely<Database>): Promise<void> {
  await db.updateTable('returns').set({ status: 'closed' }).where(hasNothingToDecide).execute()
}
