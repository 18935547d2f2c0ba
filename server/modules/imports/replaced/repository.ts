import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'

/**
 * Stores the values of locked products before an import replaces them.
 *
 * @param values a query of `product_id` and `value`, an array of objects
 */
export async function storeReplaced(
  tx: Kysely<Database>,
  importId: string,
  values: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into replaced_values (import_id, product_id, value)
    select ${importId}, product_id, value from (${values}) as replaced`.execute(tx)
}
