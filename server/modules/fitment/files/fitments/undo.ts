import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SkippedProduct } from '../../../../../contract/imports.ts'
import type { Database } from '../../../../../db/schema.ts'
import { judgeReplaced } from '../../../catalog/service.ts'

/** A query of the fitments of products from the sources of a file. A source without any has an object without a bike. */
export const storedFitments = (importId: string, productIds: string[]): RawBuilder<unknown> => sql`
  select pairs.product_id, jsonb_agg(jsonb_strip_nulls(jsonb_build_object('source', pairs.source, 'model_id', model_id,
    'year_from', year_from, 'year_to', year_to, 'version', version, 'position', stored.position, 'pieces', pieces,
    'note', note, 'confirmed_on', confirmed_on))) as value
  from (
      select distinct product_id, source from fitment_import_rows
      where import_id = ${importId} and product_id = any(${productIds}::text[])
    ) as pairs
    left join (
      select product_id, source, model_id, year_from, year_to, version, position, pieces, note, confirmed_on
      from fitments where product_id = any(${productIds}::text[])
    ) as stored on (stored.product_id, stored.source) = (pairs.product_id, pairs.source)
  group by pairs.product_id`

/** Stores the fitments that an import has replaced as rows of a file. */
export async function stageUndo(
  db: Kysely<Database>,
  importId: string,
  undoneId: string,
): Promise<SkippedProduct[]> {
  const { rows } = await sql<SkippedProduct>`
    with ${judgeReplaced(undoneId, 'fitments')}, listed as materialized (
      select judged.product_id, fitment.*
      from judged cross join lateral jsonb_to_recordset(value) as fitment (source text, model_id integer, year_from smallint,
        year_to smallint, version text, position text, pieces smallint, note text, confirmed_on date)
      where reason is null
    ), lost as materialized (
      select distinct product_id from listed
      where model_id is not null and not exists (select from models where models.id = listed.model_id)
    ), staged as (
      insert into fitment_import_rows (import_id, row, part_number, make, make_slug, model, model_slug, year_from, year_to,
        version, position, pieces, note, source, confirmed_on)
      select ${importId}, row_number() over (order by product_id), product_id, makes.name, makes.slug, models.name,
        models.slug, year_from, year_to, version, listed.position, pieces, note, source, confirmed_on
      from listed left join models on models.id = model_id left join makes on makes.id = make_id
      where product_id not in (select product_id from lost)
    )
    select product_id as "productId", name, coalesce(reason, 'One of its bikes was removed') as reason
    from judged where reason is not null or product_id in (select product_id from lost) order by product_id`.execute(
    db,
  )
  return rows
}
