import { type Kysely, sql } from 'kysely'
import { listGtins, toNumberKey } from '../../../../contract/part-numbers.ts'
import type { ScanResult } from '../../../../contract/scan.ts'
import type { Database } from '../../../../db/schema.ts'

type ScannedVariant = ScanResult['variants'][number]

/**
 * Lists up to ten variants with a scanned code, as a GTIN, a part number or an id. One statement reads stock and reserved
 * pieces, so that an order which is placed at the same time does not change their sum. The reserved pieces are read from the
 * open orders, because a variant may have many closed ones.
 */
export async function listVariantsByCode(db: Kysely<Database>, code: string): Promise<ScannedVariant[]> {
  const key = toNumberKey(code)
  if (key === '') return []
  const { rows } = await sql<{ variant: ScannedVariant }>`
    with found as materialized (
      select variants.id as "variantId", products.id as "productId", name, size, colour, sku, gtin, shelf,
        variants.stock, coalesce(variants.image, products.image) as image, sku_key = ${key} as is_sku, position
      from variants join products on products.id = product_id
      where removed_at is null and deleted_at is null
        and (sku_key = ${key} or gtin = any(${listGtins(code.trim())}::text[]) or variants.id = ${code.trim()})
      order by sku_key = ${key} desc, name, position, variants.id limit 10
    ), open as materialized (
      select id from orders where status = 'unpaid' and exists (select from found)
      union all
      select id from orders where status = 'paid' and exists (select from found)
    ), reserved as (
      select variant_id, sum(quantity - cancelled)::integer as pieces
      from open join order_lines on order_id = open.id
        cross join lateral (
          select coalesce(sum(refund_lines.pieces), 0) as cancelled
          from refunds join refund_lines on refund_lines.refund_id = refunds.id
          where refunds.order_id = open.id and kind = 'cancellation'
            and refund_lines.line_number = order_lines.line_number
        ) as refunded
      where shipment_id is null and variant_id in (select "variantId" from found)
      group by variant_id
    )
    select jsonb_strip_nulls(to_jsonb(scanned) - '{is_sku,position}'::text[]) as variant from (
      select found.*, coalesce(reserved.pieces, 0) as reserved
      from found left join reserved on variant_id = "variantId"
      order by is_sku desc nulls last, name, position, "variantId"
    ) as scanned`.execute(db)
  return rows.map(({ variant }) => variant)
}
