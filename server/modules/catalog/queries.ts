import { type Kysely, sql } from 'kysely'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import type { ScanResult } from '../../../contract/scan.ts'
import type { Database } from '../../../db/schema.ts'

type ScannedVariant = ScanResult['variants'][number]

/**
 * Lists up to ten variants with a scanned code, as a GTIN or a part number. A GTIN is found in any of its lengths: scanners
 * add or leave out zeros before it.
 */
export async function listVariantsByCode(db: Kysely<Database>, code: string): Promise<ScannedVariant[]> {
  const key = toNumberKey(code)
  if (key === '') return []
  const digits = /^0*(\d{7,14})$/.exec(code.trim())?.[1]
  const gtins = digits ? [8, 12, 13, 14].map((length) => digits.padStart(length, '0')) : []
  const { rows } = await sql<{ variant: ScannedVariant }>`
    select jsonb_strip_nulls(to_jsonb(scanned)) as variant from (
      select variants.id as "variantId", products.id as "productId", name, size, colour, sku, gtin, shelf,
        variants.stock, coalesce(variants.image, products.image) as image
      from variants join products on products.id = product_id
      where removed_at is null and deleted_at is null and (sku_key = ${key} or gtin = any(${gtins}::text[]))
      order by sku_key = ${key} desc, name, position, variants.id limit 10
    ) as scanned`.execute(db)
  return rows.map(({ variant }) => variant)
}

/** Returns whether a product is in stock. */
export async function hasStock(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`
    select from variants join products on products.id = product_id
    where removed_at is null and deleted_at is null and variants.stock > 0 limit 1`.execute(db)
  return rows.length > 0
}
