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

/** All rules. Checks run them at their end, and on each database restored from a backup. */
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

/**
 * Checks all rules and foreign keys of an idle database, and with `isSettled` the rules for settled payments. Returns
 * one message per broken rule.
 */
export async function brokenRules(db: Kysely<Database>, { isSettled = false } = {}): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    // The role of the shop limits statements, and some checks have a million products.
    await sql`set local statement_timeout = 0`.execute(tx)
    const broken: string[] = []
    const rules = [...invariants, ...(isSettled ? providerRules : []), ...(await orphans(tx))]
    for (const { rule, offenders } of rules) {
      const { rows } = await sql.raw(offenders).execute(tx)
      if (rows.length > 0)
        broken.push(`broken rule: ${rule} (${rows.length}, the first is ${JSON.stringify(rows[0])})`)
    }
    return broken
  })
}
