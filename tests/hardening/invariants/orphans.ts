import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Invariant } from './invariant.ts'

/**
 * Returns one rule per single-column foreign key, with a query for rows that reference nothing. Postgres prevents such
 * rows, unless its checks were bypassed, as by a restore.
 */
export async function orphans(db: Kysely<Database>): Promise<Invariant[]> {
  const { rows } = await sql<{ child: string; key: string; parent: string; target: string }>`
    select conrelid::regclass::text as child, quote_ident(c.attname) as key,
      confrelid::regclass::text as parent, quote_ident(p.attname) as target
    from pg_constraint
    join pg_attribute c on c.attrelid = conrelid and c.attnum = conkey[1]
    join pg_attribute p on p.attrelid = confrelid and p.attnum = confkey[1]
    where contype = 'f' and cardinality(conkey) = 1
      and connamespace::regnamespace::text in ('public', 'identity', 'sandbox')`.execute(db)
  return rows.map(({ child, key, parent, target }) => ({
    rule: `every ${key} of ${child} is in ${parent}`,
    offenders: `select ${key} from ${child} c where ${key} is not null
      and not exists (select from ${parent} p where p.${target} = c.${key})`,
  }))
}
