import { sql } from 'kysely'
import type { Condition } from './filters.ts'

/** The words that name a make, and the ids of its models. */
export interface MakeFilter {
  words: string
  models: number[]
}

/**
 * A condition on products: fitments for one of the models, or the words of the make. Gear and universal parts have no
 * fitments: products_search_all drops them, before a row or the index of fitments is read.
 */
export const hasMake = ({ words, models }: MakeFilter): Condition => {
  const isOfMake = sql`(select search_query(${words}))`
  // The inner table has no `id`, so that `id` is the product's.
  return sql`document @@ (${isOfMake} || '!('':fit:gear'' | '':fit:universal'')'::tsquery)
    and (ts_match_vq(document, ${isOfMake}) or (
      select true from (select product_id, model_id from fitments) as fitted
      where product_id = id and model_id = any(${models}::integer[]) limit 1))`
}
