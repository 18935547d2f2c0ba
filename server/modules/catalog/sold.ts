import { sql } from 'kysely'

/**
 * Whether a product is for sale: it is neither deleted nor hidden. Every public read has this condition. Its columns are those
 * of the table `products`.
 */
export const isSold = sql<boolean>`(products.deleted_at is null and not products.hidden)`
