import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Child } from '../child.ts'
import { aProduct } from '../factories.ts'
import { useTestShop } from '../shop.ts'
import type { ShopProcesses } from '../shop-process.ts'
import { cleanup } from './cleanup.ts'
import { brokenRules } from './invariants.ts'
import { connect, toProcess } from './shop-under-test.ts'

const shop = useTestShop()

test('each broken rule is named once, with the number of its rows and the first one', async () => {
  for (let count = 0; count < 2; count++) await aProduct(shop, { quantity: 5 })
  expect(await brokenRules(shop.db)).toEqual([])
  await sql`update products set stock = stock + 1`.execute(shop.db)
  expect(await brokenRules(shop.db)).toEqual([
    expect.stringMatching(
      /^broken rule: the stock of a product is .* \(2, the first is {.*"stock":6,"variants":5}\)$/,
    ),
  ])
})

test('a row that references nothing is found, unless the keys are trusted', async () => {
  await shop.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into identity.email_tokens values ('gone', 'password-reset', 'hash', now())`.execute(tx)
  })
  expect(await brokenRules(shop.db)).toEqual([
    'broken rule: every user_id of identity.email_tokens is in identity."user" (1, the first is {"user_id":"gone"})',
  ])
  expect(await brokenRules(shop.db, { trustsKeys: true })).toEqual([])
})

test('the harness finds broken rules and unexpected errors in the shops that a check opened', async () => {
  const error = JSON.stringify({ msg: 'unexpected error', err: { stack: 'TypeError: x is undefined' } })
  const child = { printed: () => `{"msg":"late"}\n${error}\n${error}\n` } as Child
  await aProduct(shop, { quantity: 5 })
  await sql`update products set stock = stock + 1`.execute(shop.db)
  const check = async () => {
    toProcess({ origin: shop.config.origin, child }, {} as ShopProcesses, {})
    connect(shop.database.url)
    const violations = await cleanup.verify()
    await cleanup.close()
    return violations
  }
  const [found, ofAnother] = await Promise.all([cleanup.separate(check), cleanup.separate(cleanup.verify)])
  expect(found).toEqual([
    'the shop logged an unexpected error:  TypeError: x is undefined',
    expect.stringMatching(/^broken rule: the stock of a product is /),
  ])
  expect(ofAnother).toEqual([])
})
