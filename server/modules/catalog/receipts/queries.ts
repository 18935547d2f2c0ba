import { type Kysely, sql } from 'kysely'
import { type DeliveryNote, maxReceiptLines } from '../../../../contract/receipts.ts'
import type { Database } from '../../../../db/schema.ts'

/** Returns the products of variants. */
export async function listProductIds(db: Kysely<Database>, variantIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ product_id: string }>`
    select distinct product_id from variants where id = any(${variantIds}::text[])`.execute(db)
  return rows.map(({ product_id }) => product_id)
}

/** A variant whose stock moves. `product_stock`: the sum of all variants. */
export interface ReceivedVariant {
  id: string
  product_id: string
  name: string
  stock: number
  product_stock: number
}

/** Lists the variants that are for sale, with the name of their product, size and colour. */
export async function listReceived(db: Kysely<Database>, variantIds: string[]): Promise<ReceivedVariant[]> {
  const { rows } = await sql<ReceivedVariant>`
    select variants.id, product_id, concat_ws(', ', name, size, colour) as name, variants.stock,
      products.stock as product_stock
    from variants join products on products.id = product_id
    where variants.id = any(${variantIds}::text[]) and removed_at is null and deleted_at is null`.execute(db)
  return rows
}

/** Lists the items of a checked delivery file in its order, up to one more than a receipt can have. */
export async function listDelivered(db: Kysely<Database>, importId: string): Promise<DeliveryNote['lines']> {
  const { rows } = await sql<{ line: DeliveryNote['lines'][number] }>`
    select json_strip_nulls(json_build_object('variantId', variants.id, 'name', products.name, 'size', variants.size,
      'colour', variants.colour, 'sku', variants.sku, 'gtin', variants.gtin, 'shelf', variants.shelf,
      'quantity', file.stock)) as line
    from product_import_rows as file join variants on variants.id = file.variant_id
      join products on products.id = variants.product_id
    where import_id = ${importId} and file.stock > 0 and removed_at is null and deleted_at is null
    order by row limit ${maxReceiptLines + 1}`.execute(db)
  return rows.map(({ line }) => line)
}
