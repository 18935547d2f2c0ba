import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Replacement } from '../../../../contract/fitments.ts'
import { maxReplacementChain } from '../../../../contract/part-numbers.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Decimals, guardCode } from '../../../platform/database/csv-export.ts'
import { isSold } from '../sold.ts'

/** Returns the last product of the chain that replaces a product; none if it is not replaced by one that is sold. */
export async function findReplacement(db: Kysely<Database>, productId: string): Promise<Replacement | null> {
  const { rows } = await sql<{ replacement: Replacement }>`
    with recursive chain as (
      select replaced_by as id, 1 as place from products where id = ${productId}
      union all
      select replaced_by, place + 1 from chain join products using (id) where place < ${maxReplacementChain}
    )
    select json_strip_nulls(json_build_object('_id', products.id, 'name', products.name, 'sku', variants.sku)) as replacement
    from chain join products using (id)
      left join variants on variants.id = products.id and removed_at is null and options <> 'variants'
    where ${isSold} order by place desc limit 1`.execute(db)
  return rows[0]?.replacement ?? null
}

/**
 * Tables for `with`. `found` has the product of each part number in the rows of a file, which is the part number of a
 * variant or else the id of a product.
 */
export const productsByPartNumber = (rows: RawBuilder<unknown>, importId: string): RawBuilder<unknown> => sql`
  numbers as materialized (
    select part_number, upper(regexp_replace(part_number, '[^A-Za-z0-9]', '', 'g')) collate "C" as sku_key
    from (select distinct part_number from ${rows} where import_id = ${importId}) as file
  ), found as materialized (
    select part_number, coalesce(variants.product_id, products.id) as product_id
    from numbers
      left join variants on variants.sku_key = numbers.sku_key and removed_at is null
      left join products on products.id = part_number and deleted_at is null
  )`

/** SQL of the part number of a product in a file: of its first variant that has one, or else the id of the product. */
export const partNumber = `coalesce((select sku from variants where product_id = products.id and removed_at is null and sku <> ''
  order by position, id limit 1), products.id)`

/**
 * SQL of the products with their part numbers, in the order of a file. With `offset 0` Postgres reads each number once, not
 * again for each row that is joined.
 */
export const numberedProducts = (decimals?: Decimals): string => `(
  select id, created_at, ${guardCode(partNumber, decimals === 'comma')} as part_number
  from products where deleted_at is null order by created_at, id offset 0) as products`
