import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StorageSize } from './table.ts'

/** Reads the sizes of products, fitments and bikes with their indexes. */
export async function readSizes(db: Kysely<Database>): Promise<StorageSize[]> {
  const { rows } = await sql<StorageSize>`
    select relname as name,
      (case relkind when 'r' then pg_table_size(pg_class.oid) else pg_relation_size(pg_class.oid) end)::float as bytes,
      case relkind when 'r' then reltuples::integer end as rows
    from unnest(array['products', 'fitments', 'bikes']) with ordinality as tables (name, place)
      cross join lateral (
        select tables.name::regclass as oid
        union all
        select indexrelid from pg_index where indrelid = tables.name::regclass) as relation
      join pg_class on pg_class.oid = relation.oid
    order by place, relkind = 'i', bytes desc`.execute(db)
  return rows
}
