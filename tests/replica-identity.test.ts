import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from './database.ts'

/** Rows are only inserted into these tables. A publication of all tables makes other changes of them fail. */
const insertOnly = ['facet_lexemes', 'product_words']
const root = path.join(import.meta.dirname, '..')

test('only tables without deletes and updates have neither a primary key nor a replica identity', async () => {
  const database = await openTestDatabase({ poolSize: 1 })
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'identity', 'sandbox')
      and relreplident = 'd' and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)
    order by 1`.execute(database.db)
  await database.close()
  expect(rows.map(({ name }) => name)).toEqual(insertOnly)

  const change = new RegExp(
    `\\b(delete from|update|deleteFrom\\('|updateTable\\(') *(${insertOnly.join('|')})\\b`,
  )
  const files = globSync('{server,seed,sandboxes}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const changing = [...files, ...globSync('db/migrations/*.sql', { cwd: root })].filter((file) =>
    change.test(readFileSync(path.join(root, file), 'utf8')),
  )
  expect(changing).toEqual([])
})
