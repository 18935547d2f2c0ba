import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { aCustomer, aProduct } from '../../factories.ts'
import type { ShopUnderTest } from '../shop-under-test.ts'
import { probe } from './hostile-values.ts'

/** Columns that may contain line breaks and tabs. */
const multiLine = ['bio', 'body', 'description', 'note', 'review']

/** Checks all stored texts after the attacks. Returns one message per column that contains forbidden characters. */
export async function textFaults(db: Kysely<Database>): Promise<{ texts: number; faults: string[] }> {
  const { rows: columns } = await sql<{ name: string; table: string }>`
    select table_name as table, column_name as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'text' and is_generated = 'NEVER'
      and table_name <> 'migrations'`.execute(db)
  const faults: string[] = []
  let texts = 0
  for (const { table, name } of columns) {
    const lineBreaks = multiLine.includes(name) ? '' : '\\t\\n\\r'
    const bad = `[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ufffd\\u2028-\\u202e\\u2066-\\u2069${lineBreaks}]`
    const { rows } = await sql<{ all: number; bad: number; example: string | null }>`
      select count(*) as all, count(*) filter (where ${sql.ref(name)} ~ ${bad}) as bad,
        min(${sql.ref(name)}) filter (where ${sql.ref(name)} ~ ${bad}) as example
      from ${sql.table(table)} where ${sql.ref(name)} is not null`.execute(db)
    texts += rows[0]?.all ?? 0
    if (rows[0]?.bad) faults.push(`${table}.${name} contains ${JSON.stringify(rows[0].example)}`)
  }
  return { texts, faults: [...faults, ...(await strangeFields(db))] }
}

/** The JSON of `product_changes` may only have keys that are columns of `products` or `variants`. */
async function strangeFields(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct key from product_changes, jsonb_object_keys(before || after) key
    where key not in (
      select column_name from information_schema.columns where table_name in ('products', 'variants')
    )`.execute(db)
  return rows.map(({ key }) => `product_changes contains the field ${JSON.stringify(key)}`)
}

/** Stores a tag as text and loads the pages that show it. Returns one message per page that does not escape it. */
export async function pageFaults({ db, accessTokens, processes }: ShopUnderTest): Promise<string[]> {
  const [{ origin, call }] = processes
  const as = await aCustomer({ db, accessTokens }, { name: `${probe}>` })
  const body = { designation: `${probe}>`, review: `</script>${probe}>` }
  if ((await call('addReview', { as, body })).status !== 200) return ['a review with a tag was rejected']
  const text = `${probe}>`
  const id = await aProduct({ db }, { name: text, description: text, supplier: text })
  const search = `/products?q=${encodeURIComponent(text)}`
  const faults: string[] = []
  for (const url of ['/', '/products', '/reviews', `/purchase/${id}`, `/product/${id}/x`, search]) {
    const response = await fetch(`${origin}${url}`)
    if ((await response.text()).includes(probe)) faults.push(`${url} renders a text as a tag`)
    if (!response.ok) faults.push(`${url} returned ${response.status}`)
  }
  return faults
}
