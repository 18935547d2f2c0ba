import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { composeShop, type Shop } from '../server/compose.ts'
import { readConfig } from '../server/config/config.ts'
import { requireCustomerByEmail } from '../server/modules/customers/service.ts'
import { createAccessTokens } from '../server/modules/identity/access-token.ts'
import { openLog } from '../server/platform/telemetry/log.ts'
import { digest } from './backups.ts'
import { toCaller } from './call.ts'
import { startChild } from './child.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { aCustomer, aGuestOrder, anAdmin, signedIn } from './factories.ts'
import { freePort } from './free-port.ts'
import { baseEnvironment, project } from './shop-process.ts'
import { appCode, setUpTwoStep, wrongCode } from './two-step.ts'

const [old, next, other] = ['old', 'next', 'other'].map(
  (name) => `the ${name} secret of this shop that is long`,
)

let database: TestDatabase
const opened: Shop[] = []

beforeAll(async () => {
  database = await openTestDatabase()
})
afterEach(async () => {
  for (const shop of opened.splice(0)) await shop.close()
  await database.empty()
})
afterAll(async () => {
  await database.close()
})

function toSettings(secret = '', previous = '') {
  return { DATABASE_URL: database.url, DEMO: '0', SHOP_SECRET: secret, SHOP_PREVIOUS_SECRETS: previous }
}

/** Opens a shop in this process, and signs tokens with its current secret. */
async function open(secret = '', previous = '') {
  const config = readConfig({ ...toSettings(secret, previous), PORT: String(await freePort()) })
  const shop = await composeShop(config, null, openLog('silent'))
  opened.push(shop)
  return { ...shop, ...toCaller(config.origin), accessTokens: createAccessTokens({ secrets: [secret] }) }
}

/** Deletes the row of the newest migration, so that the next start would run it. Returns a function that inserts it again. */
async function forgetNewestMigration(): Promise<() => Promise<void>> {
  const { rows } = await database.pool.query(
    'delete from migrations where name = (select max(name) from migrations) returning *',
  )
  return async () => {
    await database.pool.query(
      'insert into migrations select * from json_populate_record(null::migrations, $1)',
      [JSON.stringify(rows[0])],
    )
  }
}

test('while the secret changes, each process accepts tokens, order keys and codes of the others', async () => {
  const first = await open(old, next)
  const second = await open(next, old)
  for (const [here, there] of [
    [first, second],
    [second, first],
  ] as const) {
    const rider = await aCustomer(here)
    expect((await there.call('getCart', { as: rider })).status).toBe(200)
    const order = await aGuestOrder(here)
    const found = await there.call('getOrderDetails', { params: { id: order.id }, headers: order.headers })
    expect(found.status).toBe(200)
  }
  const admin = await anAdmin(first)
  const { key } = await setUpTwoStep(first, admin)
  const wrong = await second.call('passTwoStep', { as: admin, body: { code: wrongCode(key) } })
  expect(wrong.status).toBe(422)
  for (const shop of [first, second]) await shop.close()
  // The first one restarts with the new secret. Then the old one is no longer needed.
  await (await open(next, old)).close()
  const last = await open(next)
  const later = await signedIn(last, await requireCustomerByEmail(last.db, admin.email))
  expect((await last.call('passTwoStep', { as: later, body: { code: appCode(key, 1) } })).status).toBe(200)
  await last.close()
})

test('a process with another secret does not start or migrate, and changes nothing; reset-secret replaces the secret', async () => {
  await (await open(old)).close()
  const restoreMigration = await forgetNewestMigration()
  const before = await digest(database)
  expect(before['identity.jwks']).toContain('1 rows')
  await expect(open(other, next)).rejects.toMatchObject({
    name: 'StartupError',
    message:
      'The shop on this database has another secret. Set SHOP_SECRET to it, add it to SHOP_PREVIOUS_SECRETS, or run npm run reset-secret, which signs all users out.',
  })
  expect(await digest(database)).toEqual(before)
  await restoreMigration()

  const env = { ...baseEnvironment, ...toSettings(other) }
  const reset = startChild(process.execPath, ['server/commands/reset-secret.ts'], { cwd: project, env })
  expect([await reset.ended, reset.printed()]).toEqual([
    0,
    expect.stringMatching(/must log in again, and links of .* guest and phone orders/),
  ])
  expect((await digest(database))['identity.jwks']).toContain('0 rows')
  await (await open(other)).close()
})
