import { type RawBuilder, sql } from 'kysely'
import { changedSince, isChangedSince, type ReplacedField } from '../../queries.ts'

/** Tables for `with`. `judged` has the values of each product before an import, and why they cannot be restored. */
export const judgeReplaced = (importId: string, field: ReplacedField): RawBuilder<unknown> => sql`
  judged as materialized (
    select products.id as product_id, products.name, value, case
        when deleted_at is not null then 'It was deleted'
        when ${isChangedSince(importId, field)} then ${changedSince}
      end as reason
    from replaced_values join products on products.id = replaced_values.product_id
    where replaced_values.import_id = ${importId}
  )`
