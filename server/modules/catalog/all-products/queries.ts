import { type RawBuilder, sql } from 'kysely'
import type { ListFilters } from '../../../../contract/product-changes.ts'
import { missingPicture } from '../../../../contract/product-pictures.ts'
import { lowProducts } from '../queries.ts'

export const lastDeletedFirst = sql`deleted_at desc, id`

/** The products of the lists of admins, by the filters that are not facets. */
export function toScope({
  supplier,
  stockAtMost,
  low,
  hidden,
  noFitment,
  noPicture,
  deleted,
}: ListFilters): RawBuilder<unknown> {
  const conditions = [
    sql`products.deleted_at is ${deleted ? sql`not null` : sql`null`}`,
    ...(hidden === undefined ? [] : [hidden === 'true' ? sql`products.hidden` : sql`not products.hidden`]),
    ...(supplier ? [sql`products.supplier = ${supplier}`] : []),
    ...(stockAtMost === undefined
      ? []
      : [
          sql`exists (
            select from variants
            where variants.product_id = products.id and removed_at is null and variants.stock <= ${stockAtMost})`,
        ]),
    // An array, so that the plan does not depend on an estimate of their number.
    ...(low ? [sql`products.id = any(array(${lowProducts}))`] : []),
    ...(noFitment
      ? [
          sql`products.fit_kind = 'vehicle'
            and not exists (select from fitments where fitments.product_id = products.id)`,
        ]
      : []),
    ...(noPicture ? [sql`products.image = ${missingPicture}`] : []),
  ]
  return sql`(${sql.join(conditions, sql` and `)})`
}
