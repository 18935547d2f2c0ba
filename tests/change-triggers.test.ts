import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from './database.ts'

let database: TestDatabase
let listener: Client
const told: string[] = []

beforeAll(async () => {
  database = await openTestDatabase()
  listener = new Client({ connectionString: database.url })
  listener.on('notification', ({ payload = '' }) => told.push(payload))
  await listener.connect()
  await listener.query('listen changes')
})
afterAll(async () => {
  await listener.end()
  await database.close()
})
beforeEach(async () => {
  await database.empty()
  await products(2)
  await tellings()
})

/** What has been told since it was last asked: a notification comes before the answer to what is asked after it. */
async function tellings(): Promise<string[]> {
  await listener.query('select 1')
  return told.splice(0)
}

/** A product with a history is never deleted by the shop; whoever repairs a database by hand may. */
const remove = (where: string) =>
  run(`alter table product_changes disable trigger user; delete from product_changes;
    alter table product_changes enable trigger user; delete from products where ${where}`)

const run = (statement: string) => sql.raw(statement).execute(database.db)
const products = (count: number, from = 1) =>
  run(`insert into products (id, name, description, image, minimum_quantity, stock, price_cents)
    select 'p' || n, 'Chain', 'Gold', '/pictures/chain.svg', 2, 10, 5000 from generate_series(${from}, ${from + count - 1}) n`)

describe('a change of a product tells what it changes', () => {
  test.each([
    ['of stock', "stock = 9 where id = 'p1'", ['product:p1 stock']],
    ['that leaves none', "stock = 0 where id = 'p1'", ['product:p1 availability stock']],
    ['that leaves too few for an order', "stock = 1 where id = 'p1'", ['product:p1 availability stock']],
    ['of the price', "price_cents = 100 where id = 'p1'", ['product:p1 products']],
    [
      'of the smallest order, so that it cannot be bought',
      "minimum_quantity = 11 where id = 'p1'",
      ['product:p1 products availability'],
    ],
    ['that hides it', "deleted_at = now() where id = 'p2'", ['product:p2 products']],
    ['that changes nothing', 'stock = stock', []],
    ['of two at once', 'stock = stock + 1', ['product:p1 product:p2 stock']],
    ['of none', "stock = 9 where id = 'nobody'", []],
  ])('%s', async (_, change, expected) => {
    await run(`update products set ${change}`)
    expect(await tellings()).toEqual(expected)
  })

  test('an insert and a delete tell of everything that lists products', async () => {
    await products(1, 7)
    expect(await tellings()).toEqual(['product:p7 products availability stock'])
    await remove("id = 'p7'")
    expect(await tellings()).toEqual(['product:p7 products availability stock'])
  })

  test('of many at once tells that everything has changed, and once', async () => {
    await products(101, 10)
    expect(await tellings()).toEqual(['*'])
    await run('update products set stock = stock + 1')
    expect(await tellings()).toEqual(['*'])
    await run('begin; update products set stock = stock + 1; update products set stock = stock - 1; commit')
    expect(await tellings()).toEqual(['*'])
    await remove("id <> 'p1'")
    expect(await tellings()).toEqual(['*'])
  })

  test('a list too long for one notification is everything', async () => {
    await run(`insert into products (id, name, description, image, minimum_quantity, stock, price_cents)
      select repeat('x', 300) || n, 'Chain', '', '', 1, 1, 100 from generate_series(1, 50) n`)
    expect(await tellings()).toEqual(['*'])
  })

  test('a truncate tells that everything has changed', async () => {
    const ledgers = ['product_changes', 'stock_movements']
    const guards = (verb: string) =>
      ledgers.map((name) => `alter table ${name} ${verb} trigger user;`).join(' ')
    await run(`${guards('disable')} truncate products cascade; ${guards('enable')}`)
    expect(await tellings()).toContain('*')
  })
})

test('a change that is rolled back tells nothing', async () => {
  await run("begin; update products set stock = 0 where id = 'p1'; rollback")
  expect(await tellings()).toEqual([])
})

test.each([
  "insert into reviews (id, name) values ('r1', 'Robin')",
  "update reviews set review = 'Good.'",
  'delete from reviews',
  'truncate reviews',
])('reviews: %s', async (change) => {
  await run(change)
  expect(await tellings()).toEqual(['reviews'])
})
