import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { anyOf } from '../../platform/database/database.ts'
import { isSold } from '../catalog/service.ts'

/** A variant with the values of its product, even if it is removed. */
export type Offer = Awaited<ReturnType<typeof findOffers>>[number]

/** Returns the variants with these ids, in any order. */
export function findOffers(db: Kysely<Database>, variantIds: string[]) {
  return db
    .selectFrom('variants')
    .innerJoin('products', 'products.id', 'variants.product_id')
    .select(['variants.id', 'product_id', 'name', 'options', 'size', 'colour', 'variants.stock'])
    .select(['minimum_quantity', 'fit_kind', 'kind', 'return_note'])
    .select((eb) => [
      eb.fn.coalesce('variants.image', 'products.image').as('image'),
      eb.fn.coalesce('variants.price_cents', 'products.price_cents').as('price_cents'),
      eb
        .and([eb('removed_at', 'is', null), isSold])
        .$castTo<boolean>()
        .as('is_sold'),
      eb
        .exists(eb.selectFrom('fitments').whereRef('fitments.product_id', '=', 'products.id'))
        .$castTo<boolean>()
        .as('has_fitments'),
    ])
    .where('variants.id', '=', anyOf([...new Set(variantIds)]))
    .execute()
}
