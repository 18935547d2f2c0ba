import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../../../db/schema.ts'
import { guardFormulas, withComma } from '../../../../platform/database/csv-export.ts'

/** Columns of attributes begin with this, such as `attribute:length`. The header of a file is read in lower case. */
export const attributePrefix = 'attribute:'
export const toAttributeColumn = (name: string) => `${attributePrefix}${name.toLowerCase()}`

/** Whether the file has columns of attributes. */
export const hasAttributes = (columns: string[]) => attributeColumns(columns).length > 0

const attributeColumns = (columns: string[]) => columns.filter((name) => name.startsWith(attributePrefix))
const toAttributeKey = (column: string) => column.slice(attributePrefix.length)

/** The name of an attribute in lower case. `lower` depends on the locale of the database. */
const nameKey = "lower((definition ->> 'name') collate pg_catalog.pg_c_utf8)"

/** Lists the attributes of all kinds of parts, or of one. Names that differ only in case are one column of a file. */
export async function listAttributeNames(db: Kysely<Database>, kind?: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select min(definition ->> 'name') as name
    from kind_attributes, jsonb_array_elements(attributes) as definition
    where ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
    group by ${sql.raw(nameKey)} order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** Lists the attributes that are numbers in each kind of part which has them. */
export async function listNumberAttributes(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select min(definition ->> 'name') as name
    from kind_attributes, jsonb_array_elements(attributes) as definition
    group by ${sql.raw(nameKey)} having bool_and(definition ->> 'type' = 'number')`.execute(db)
  return rows.map(({ name }) => name)
}

/** The kind that the product of a row will have. */
const toKind = (columns: string[]) => (columns.includes('kind') ? sql`file.kind` : sql`products.kind`)

/**
 * Sets the attributes that products will have: the values of the file, and the stored ones of columns that it lacks.
 * A value that the kind does not define is hidden. It stays until a row changes another value.
 *
 * @param batch only the products of this batch
 */
export async function setAttributes(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
  batch: number | undefined,
): Promise<void> {
  await sql`
    with wanted as (
      select file.row, coalesce(products.attributes, '{}') as stored, chosen.*
      from product_import_rows as file left join products on products.id = file.product_id
        cross join lateral (
          select coalesce(jsonb_object_agg(name, old) filter (where old is not null), '{}') as old,
            coalesce(jsonb_object_agg(name, new) filter (where new is not null), '{}') as new
          from (
            select name, old,
              case when file.attributes ? key then attribute_value(definition, file.attributes ->> key) else old end
                as new
            from kind_attributes as own, jsonb_array_elements(own.attributes) as definition,
              lateral (select definition ->> 'name' as name, ${sql.raw(nameKey)} as key) as named,
              lateral (select case
                when attribute_value(definition, products.attributes ->> name) = products.attributes -> name
                then products.attributes -> name end as old) as stored
            where own.kind = ${toKind(columns)}) as each) as chosen
      where import_id = ${importId} ${batch === undefined ? sql`` : sql`and batch = ${batch}`}
    )
    update product_import_rows as file set
      target_attributes = case when wanted.old = wanted.new then stored else wanted.new end
    from wanted where import_id = ${importId} and file.row = wanted.row`.execute(db)
}

/** Selects values of attributes that the kind of a row does not define or allow, and different ones for one product. */
export function findAttributeErrors(columns: string[]): RawBuilder<unknown>[] {
  const ofFile = attributeColumns(columns)
  if (ofFile.length === 0) return []
  const invalid = sql`
    select row, ${sql.lit(attributePrefix)} || key,
      case when kind is null then 'A product without a kind of part has no attributes'
        when definition is null then kind || ' has no attribute with this name'
        when definition ->> 'type' = 'number' then 'Enter a number with at most three decimals'
        else 'Enter one of: ' || (select string_agg(choice, ', ' order by place)
          from jsonb_array_elements_text(definition -> 'choices') with ordinality as choices (choice, place)) end
    from (select row, attributes, ${columns.includes('kind') ? sql`kind` : sql`old_kind`} as kind from file) as file
      cross join lateral jsonb_each_text(attributes) as given (key, typed)
      left join lateral (
        select definition from kind_attributes as own, jsonb_array_elements(own.attributes) as definition
        where own.kind = file.kind and ${sql.raw(nameKey)} = key limit 1) as defined on true
    where typed is not null and attribute_value(definition, typed) is null`
  const different = ofFile.map((column) => {
    const key = sql.lit(toAttributeKey(column))
    return sql`
      select row, ${sql.lit(column)}, 'Row ' || first_row || ' of the same product has another value'
      from own where attributes ->> ${key} is distinct from first_attributes ->> ${key}`
  })
  return [invalid, ...different]
}

/** Values as texts, such as `Length: 150; Pitch: 525`. */
export const describeAttributes = (column: string) => sql`(
  select string_agg(key || ': ' || value, '; ' order by key) from jsonb_each_text(${sql.ref(column)}))`

/** SQL of the stored values that the kind of a product defines and allows, as one object. Its keys are names in lower case. */
export function exportedAttributes(isComma: boolean): string {
  const text = "products.attributes ->> (definition ->> 'name')"
  const value = isComma
    ? `case definition ->> 'type' when 'number' then ${withComma(text)} else ${text} end`
    : text
  return `(
    select jsonb_object_agg(${nameKey}, ${value})
    from kind_attributes as own, jsonb_array_elements(own.attributes) as definition
    where own.kind = products.kind
      and attribute_value(definition, ${text}) = products.attributes -> (definition ->> 'name'))`
}

/** SQL of one of the exported attributes. */
export const exportedAttribute = (attributes: string, name: string): string =>
  guardFormulas(`${attributes} ->> ${toLiteral(name.toLowerCase())}`)

/** `copy` has no parameters. */
export const toLiteral = (text: string) => `'${text.replaceAll("'", "''")}'`
