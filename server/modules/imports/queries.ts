import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type ImportError,
  type ImportKind,
  type ImportQuery,
  maxListedErrors,
  productsPerBatch,
} from '../../../contract/imports.ts'
import type { Today } from '../../../contract/today.ts'
import type { Database } from '../../../db/schema.ts'
import { type Page, toLimitOffset } from '../../platform/http/paging.ts'
import type { BatchProduct, FileErrors } from './file-kind.ts'
import { importColumns, type ProductImport } from './repository.ts'

export { storeReplaced, storeRows } from './repository.ts'
export { leaveOutErrors } from './wrong-rows/leave-out.ts'

/** Lists the first errors, and counts all. `tables` for `with` end with `found`: row, "column", message, perhaps line. */
export async function listErrors(db: Kysely<Database>, tables: RawBuilder<unknown>): Promise<FileErrors> {
  const { rows } = await sql<ImportError & { total: number }>`
    with ${tables}
    select *, count(*) over () as total from found order by row, "column" limit ${maxListedErrors}`.execute(
    db,
  )
  return {
    errors: rows.map(({ row, line, column, message }) => ({ row, line, column, message })),
    total: rows[0]?.total ?? 0,
  }
}

/**
 * Lists the newest imports that are in progress or were stopped at their time, and the files that can be run. The preview
 * of a change of many products is not listed: who wants the change runs it. `progress`: 0 to 1.
 */
export async function listOpenImports(db: Kysely<Database>): Promise<Today['imports']> {
  const { rows } = await sql<Today['imports'][number]>`
    select id, kind, file_name as "fileName", state,
      to_char(scheduled_for at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "runAt",
      case when rows > 0 then least(1, done::float8 / rows) else 0 end as progress
    from product_imports
    where state in ('reading', 'checking', 'importing')
      or state = 'checked' and (source = 'file' and error_count = 0 or scheduled_for is not null)
      or state = 'failed' and scheduled_for > now() - interval '7 days'
    order by state = 'checked', started_at desc, id limit 5`.execute(db)
  return rows
}

/** A product may have thousands of rows. A batch ends with the product that reaches this limit. */
export const rowsPerBatch = 1000

/**
 * Divides the products that an import changes into batches, in the order of the file.
 *
 * @param changed a query of the ids of these products
 * @param together a query of the ids that are all in the first batch, because they exchange part numbers
 * @returns the number of batches
 */
export async function assignBatches(
  tx: Kysely<Database>,
  { importId, rowTable }: { importId: string; rowTable: string },
  changed: RawBuilder<unknown>,
  together?: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ batches: number }>`
    with counted as materialized (
      select product_id, min(row) as first, count(*) as rows,
        ${together ? sql`product_id in (${together})` : sql`false`} as is_together
      from ${sql.table(rowTable)} where import_id = ${importId} and product_id in (${changed}) group by product_id
    ), numbered as (
      -- The share of a batch that a product takes: of its products or of its rows, whichever is larger. Integers, because
      -- fractions do not add up to whole batches.
      select *, sum(share) over (partition by is_together order by first, product_id) - share as shares_before
      from counted cross join lateral (
        select greatest(${rowsPerBatch}::integer, rows * ${productsPerBatch}::integer) as share) as one
    ), batched as materialized (
      select product_id,
        dense_rank() over (order by not is_together,
          case when not is_together then div(shares_before, ${productsPerBatch * rowsPerBatch}::integer) end) - 1 as batch
      from numbered
    ), stored as (
      update ${sql.table(rowTable)} as file set batch = batched.batch
      from batched where import_id = ${importId} and file.product_id = batched.product_id
    )
    select coalesce(max(batch) + 1, 0)::integer as batches from batched`.execute(tx)
  await sql`analyze ${sql.table(rowTable)}`.execute(tx)
  return rows[0]?.batches ?? 0
}

/** A batch that failed is divided into at most this many. */
const maxParts = 20

/** Divides the products of a batch into smaller batches, from `first`. Returns their number. */
export async function divideBatch(
  tx: Kysely<Database>,
  { importId, rowTable, batch, first }: { importId: string; rowTable: string; batch: number; first: number },
  products: BatchProduct[],
): Promise<number> {
  const size = Math.ceil(products.length / maxParts)
  await sql`
    update ${sql.table(rowTable)} as file set batch = ${first}::integer + (number - 1) / ${size}::integer
    from unnest(${products.map(({ product_id }) => product_id)}::text[]) with ordinality as part (product_id, number)
    where import_id = ${importId} and batch = ${batch} and file.product_id = part.product_id`.execute(tx)
  return Math.ceil(products.length / size)
}

/** Returns whether the rows of an import are still stored. */
export async function hasRows(db: Kysely<Database>, importId: string, rowTable: string): Promise<boolean> {
  // In the order of the primary key: a sequential scan would first read the rows of earlier imports.
  const { rows } = await sql`
    select from ${sql.table(rowTable)} where import_id = ${importId} order by row limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the number of stored rows of an import. */
export async function countRows(db: Kysely<Database>, importId: string, rowTable: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(rowTable)} where import_id = ${importId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** An import with who started it, and the import that has undone it. */
export type ListedImport = ProductImport & {
  started_by_email: string | null
  undone_by: string | null
  /** Whether the values that it has replaced are stored. */
  has_replaced: boolean
}

const listed = (db: Kysely<Database>) =>
  db
    .selectFrom('product_imports')
    .leftJoin('customers', 'customers.id', 'started_by')
    .leftJoin('product_imports as undo', (join) =>
      join.onRef('undo.undo_of', '=', 'product_imports.id').on('undo.state', 'in', ['importing', 'done']),
    )
    .select(importColumns)
    .select(['customers.email as started_by_email', 'undo.id as undone_by'])
    .select(
      sql<boolean>`exists (select from replaced_values where import_id = product_imports.id)`.as(
        'has_replaced',
      ),
    )

export const findListed = (db: Kysely<Database>, id: string): Promise<ListedImport | undefined> =>
  listed(db).where('product_imports.id', '=', id).executeTakeFirst()

/** Returns goods in or a stocktake by its idempotency key. */
export const findReceipt = (db: Kysely<Database>, idempotencyKey: string) =>
  db
    .selectFrom('product_imports')
    .select(['id', 'request_hash'])
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()

/** Lists a page of imports of these kinds, newest first. */
export async function listImports(
  db: Kysely<Database>,
  query: ImportQuery,
  kinds: ImportKind[],
): Promise<Page<ListedImport>> {
  const { limit, offset } = toLimitOffset(query)
  const rows = listed(db)
    .where('product_imports.kind', 'in', kinds)
    .orderBy('product_imports.started_at', 'desc')
    .orderBy('product_imports.id')
    .limit(limit)
    .offset(offset)
  const count = db
    .selectFrom('product_imports')
    .select(sql<number>`count(*)`.as('total'))
    .where('kind', 'in', kinds)
  const [page, { total }] = await Promise.all([rows.execute(), count.executeTakeFirstOrThrow()])
  return { rows: page, total }
}
