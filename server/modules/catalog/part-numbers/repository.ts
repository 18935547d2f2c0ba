import { type Kysely, sql } from 'kysely'
import type { ReplacedProduct, Replacement } from '../../../../contract/fitments.ts'
import type { PartNumber } from '../../../../contract/number-texts.ts'
import type { PartNumbers } from '../../../../contract/part-numbers.ts'
import type { Database } from '../../../../db/schema.ts'
import { REPLACING } from '../../../platform/database/advisory-locks.ts'
import { touchSitemapEntries } from '../repository.ts'

const numbersOfProduct = sql<PartNumber[]>`coalesce((
  select json_agg(json_strip_nulls(json_build_object('kind', kind, 'maker', nullif(maker, ''), 'number', number))
    order by array_position(array['oem', 'interchange', 'supersedes'], kind), maker, number_key)
  from part_numbers where product_id = products.id), '[]')`

/** The id, the name and the part number of a product in `other`, which may be deleted. */
const otherAsJson = sql`json_strip_nulls(json_build_object('_id', other.id, 'name', other.name, 'sku', (
    select sku from variants where variants.id = other.id and other.options <> 'variants'),
  'deleted', case when other.deleted_at is not null then true end))`

/** The products that a page names. */
const maxReplaced = 20

/** Reads the numbers of a product, and the products that it replaces directly. */
export async function findNumbers(
  db: Kysely<Database>,
  productId: string,
): Promise<{ numbers: PartNumber[]; replaces: ReplacedProduct[] }> {
  const { rows } = await sql<{ numbers: PartNumber[]; replaces: ReplacedProduct[] }>`
    select ${numbersOfProduct} as numbers, array(
      select ${otherAsJson} from products as other where other.replaced_by = products.id and not other.hidden
      order by other.created_at, other.id limit ${maxReplaced}) as replaces
    from products where id = ${productId}`.execute(db)
  return rows[0] ?? { numbers: [], replaces: [] }
}

interface EditableNumbers extends Omit<PartNumbers, 'replacedBy'> {
  replacedBy: Replacement | null
}

/** Reads what an admin edits, with a hash of it. Returns none if the product is deleted. */
export async function findEditableNumbers(
  db: Kysely<Database>,
  productId: string,
): Promise<EditableNumbers | undefined> {
  const { rows } = await sql<EditableNumbers>`
    select ${numbersOfProduct} as numbers,
      (select ${otherAsJson} from products as other where other.id = products.replaced_by) as "replacedBy",
      md5(concat_ws(';', replaced_by, ${numbersOfProduct})) as revision
    from products where id = ${productId} and deleted_at is null`.execute(db)
  return rows[0]
}

/** How products are related to a searched number: the best match of each. */
export async function findMatches(
  db: Kysely<Database>,
  productIds: string[],
  key: string,
): Promise<(PartNumber & { product_id: string })[]> {
  const { rows } = await sql<PartNumber & { product_id: string }>`
    select distinct on (product_id) product_id, kind, maker, number from (
      select product_id, kind, maker, number, number_key = ${key} as is_exact from part_numbers
      where product_id = any(${productIds}) and number_key >= ${key} and number_key < ${key} || '['
      union all
      select product_id, 'supersedes', '', sku, true from find_replacements(${key})
      where product_id = any(${productIds})) as matched
    order by product_id, is_exact desc, kind desc, maker, number`.execute(db)
  return rows
}

/**
 * Waits for other changes of replacements until their transactions end. Without it, two of them could form a loop that
 * neither sees. Must run before products are locked.
 */
export async function lockReplacements(tx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${REPLACING})`.execute(tx)
}

/** Finds a product for sale by the part number of a variant, or else by its id. */
export async function findForSale(
  db: Kysely<Database>,
  numberOrId: string,
): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select product_id as id, 1 as place from variants
      where removed_at is null
        and sku_key = nullif(upper(regexp_replace(${numberOrId}, '[^A-Za-z0-9]', '', 'g')), '')
      union all
      select id, 2 from products where id = ${numberOrId} and deleted_at is null) as found
    order by place limit 1`.execute(db)
  return rows[0]
}

/** Sets the replacement of a locked product. A trigger adds the change to its history. */
export async function writeReplacement(
  tx: Kysely<Database>,
  productId: string,
  replacedBy: string | null,
): Promise<void> {
  await sql`update products set replaced_by = ${replacedBy} where id = ${productId}`.execute(tx)
}

/** Counts the products in a product's chain of replacements. More than `max` may be a loop. */
export async function measureChain(
  db: Kysely<Database>,
  productId: string,
  max: number,
): Promise<{ isLoop: boolean; length: number }> {
  const { rows } = await sql<{ isLoop: boolean; length: number }>`
    with recursive newer as (
      select replaced_by as id, 1 as place from products where id = ${productId} and replaced_by is not null
      union all
      select replaced_by, place + 1 from newer join products using (id)
      where replaced_by is not null and place <= ${max}
    ), older as (
      select id, 1 as place from products where replaced_by = ${productId}
      union
      select products.id, place + 1 from older join products on replaced_by = older.id where place <= ${max}
    )
    select exists (select from newer where id = ${productId}) as "isLoop",
      1 + coalesce((select max(place) from newer), 0) + coalesce((select max(place) from older), 0) as length`.execute(
    db,
  )
  return rows[0] ?? { isLoop: false, length: 0 }
}

/** Replaces the numbers of a locked product. The page shows them, so the sitemap has a new date. */
export async function writeNumbers(
  tx: Kysely<Database>,
  productId: string,
  numbers: PartNumber[],
): Promise<void> {
  await sql`delete from part_numbers where product_id = ${productId}`.execute(tx)
  await sql`
    insert into part_numbers (product_id, kind, maker, number)
    select ${productId}, kind, coalesce(maker, ''), number
    from jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb) as row (kind text, maker text, number text)`.execute(
    tx,
  )
  await touchSitemapEntries(tx, [productId])
}
