import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'

/**
 * Merges the rows of each combination in `product_counts` into one. Rows that are added at the same time are left for
 * the next run. Several runs may overlap: each inserts the sum of the rows that it deleted.
 */
export async function compactCounts(db: Kysely<Database>): Promise<void> {
  await sql`
    with deleted as (
      delete from product_counts where ctid = any(array(
        select row from (
          select ctid as row, count(*) over (partition by terms) as rows
          from product_counts) as counted
        where rows > 1))
      returning *
    )
    insert into product_counts
    select terms, sum(products) from deleted
    group by 1 having sum(products) <> 0`.execute(db)
}
