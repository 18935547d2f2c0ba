import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { openShopProcesses, type ShopProcess, type ShopProcesses } from './shop-process.ts'

const production = { NODE_ENV: 'production', PAYMENTS: 'sandbox' }
let database: TestDatabase
let shops: ShopProcesses

beforeAll(async () => {
  database = await openTestDatabase()
  shops = openShopProcesses()
})
afterAll(async () => {
  await shops.remove()
  await database.close()
})

/** @throws if a line of stdout or stderr is not JSON */
const logged = ({ child }: ShopProcess) =>
  child
    .printed()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const aLine = {
  level: expect.stringMatching(/^(info|warn|error|fatal)$/),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  msg: expect.any(String),
}

test('in production a process prints only lines of JSON; refused requests are counted by reason', async () => {
  const shop = await shops.open({ ...production, DATABASE_URL: database.url })
  const signIn = () =>
    fetch(`${shop.origin}/idp/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.origin },
      body: JSON.stringify({ email: 'rider@example.com', password: 'wrong-password' }),
    })
  const statuses = []
  for (let i = 0; i < 12; i++) statuses.push((await signIn()).status)
  expect(statuses.slice(-2)).toEqual([429, 429])
  await shop.child.line(/requests refused/)
  shop.child.signal('SIGTERM')
  expect(await shop.child.ended).toBe(0)
  const lines = logged(shop)
  for (const line of lines) expect(line).toMatchObject(aLine)
  expect(lines).toContainEqual(expect.objectContaining({ msg: `Torque Yard is open: ${shop.origin}` }))
  const refused = lines.filter(({ msg }) => msg === 'requests refused')
  const counts = refused.map((line) => (line.counts as Record<string, number>).TOO_MANY_REQUESTS ?? 0)
  expect(counts.reduce((sum, count) => sum + count)).toBe(2)
  expect(refused.filter(({ requestId }) => requestId !== undefined)).toEqual([])
})

test('in production a start that fails prints one line of JSON with the fix', async () => {
  const { child } = await shops.start({ ...production, PORT: 'none' })
  expect(await child.ended).toBe(1)
  expect(JSON.parse(child.printed())).toMatchObject({
    ...aLine,
    level: 'fatal',
    msg: expect.stringContaining('PORT'),
  })
})
