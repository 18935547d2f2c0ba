import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { catalogRules } from './invariants/catalog.ts'
import { contentRules } from './invariants/content.ts'
import { customerRules } from './invariants/customers.ts'
import { fitmentRules } from './invariants/fitment.ts'
import type { Invariant } from './invariants/invariant.ts'
import { moneyRules } from './invariants/money.ts'
import { orderRules } from './invariants/orders.ts'
import { orphans } from './invariants/orphans.ts'
import { providerRules } from './invariants/provider.ts'
import { settingRules } from './invariants/settings.ts'
import { stockRules } from './invariants/stock.ts'

/** All rules. The harness checks them after each check, and *restore* on each restored database. */
export const invariants: readonly Invariant[] = [
  ...orderRules,
  ...stockRules,
  ...moneyRules,
  ...catalogRules,
  ...fitmentRules,
  ...customerRules,
  ...settingRules,
  ...contentRules,
]

/** Fewer statements save round trips. But Postgres frees the memory of a rule only at the end of its statement. */
const rulesPerStatement = 10

/**
 * Checks all rules of an idle database, and with `isSettled` the rules for settled payments. Checks the foreign keys too,
 * unless `trustsKeys`. Returns one message per broken rule.
 */
export async function brokenRules(
  db: Kysely<Database>,
  { isSettled = false, trustsKeys = false } = {},
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    // The role of the shop limits statements, and some checks have a million products.
    await sql`set local statement_timeout = 0`.execute(tx)
    const broken: string[] = []
    const rules = [
      ...invariants,
      ...(isSettled ? providerRules : []),
      ...(trustsKeys ? [] : await orphans(tx)),
    ]
    for (let start = 0; start < rules.length; start += rulesPerStatement) {
      const batch = rules.slice(start, start + rulesPerStatement)
      const queries = batch.map(
        ({ offenders }, index) => `select ${index} as index, row_to_json(o) as row from (${offenders}) o`,
      )
      const { rows } = await sql.raw<{ index: number; row: object }>(queries.join(' union all ')).execute(tx)
      for (const [index, { rule }] of batch.entries()) {
        const found = rows.filter((each) => each.index === index)
        if (found.length > 0)
          broken.push(`broken rule: ${rule} (${found.length}, the first is ${JSON.stringify(found[0]?.row)})`)
      }
    }
    return broken
  })
}
