import type { Kysely } from 'kysely'
import { productFileColumns } from '../../../../../contract/imports.ts'
import { type ProductColumn, productColumns } from '../../../../../contract/product-columns.ts'
import { variantColumns } from '../../../../../contract/variants.ts'
import type { Database } from '../../../../../db/schema.ts'
import {
  type CsvRows,
  type Decimals,
  guardCode,
  guardFormulas,
  withComma,
} from '../../../../platform/database/csv-export.ts'
import {
  attributePrefix,
  exportedAttribute,
  exportedAttributes,
  listAttributeNames,
  toLiteral,
} from './attribute-columns.ts'
import { dollars, isInherited, picturesColumn, toStored, yesOrBlank } from './queries.ts'

/** Columns of texts that may be digits only. */
const codes = ['sku', 'gtin', 'size', 'shelf']

/** SQL of an exported value, prices in dollars. Text that may be a formula gets an apostrophe. */
function toExported(column: ProductColumn, isComma: boolean): string {
  const { sql: value, type } = column
  const stored = isInherited(column) ? `coalesce(variants.${value}, products.${value})` : toStored(column)
  if (type === 'cents') return isComma ? withComma(dollars(stored)) : dollars(stored)
  if (type === 'boolean') return yesOrBlank(stored)
  if (codes.includes(column.name)) return guardCode(stored, isComma)
  return type === 'text' ? guardFormulas(stored) : stored
}

const listExported = (isComma: boolean) =>
  productFileColumns.map((name) => {
    const column = [...productColumns, ...variantColumns, picturesColumn].find((each) => each.name === name)
    if (column) return toExported(column, isComma)
    if (name === 'group') return `case when products.options = 'variants' then products.id end`
    return name === 'quantity_exported' ? 'variants.stock' : `variants.${name}`
  })

/**
 * Returns a query of variants with their products, oldest product first. There is a column for each attribute. The
 * header is not in the query, because Postgres cuts the name of a column after 63 bytes.
 *
 * @param kind with the attributes of this kind of part only
 * @param ids only these products; null: all that are not deleted
 */
export async function exportQuery(
  db: Kysely<Database>,
  {
    kind,
    decimals,
    ids,
  }: { kind?: string | undefined; decimals?: Decimals | undefined; ids: string[] | null },
): Promise<CsvRows> {
  const isComma = decimals === 'comma'
  const names = await listAttributeNames(db, kind)
  const attributes = names.map((name) => exportedAttribute('products.exported', name))
  const isExported =
    ids === null ? 'deleted_at is null' : `products.id = any(array[${ids.map(toLiteral).join(', ')}]::text[])`
  // With `offset 0` Postgres computes the attributes once for each product, not for each variant and column.
  // The variants of a deleted product were removed with it.
  const query = `
  select ${[...listExported(isComma), ...attributes].join(', ')}
  from (select *, ${exportedAttributes(isComma)} as exported from products where ${isExported}
      order by created_at, id offset 0) as products
    join variants on product_id = products.id and removed_at is not distinct from deleted_at
  order by products.created_at, products.id, position`
  return { query, header: [...productFileColumns, ...names.map((name) => attributePrefix + name)] }
}
