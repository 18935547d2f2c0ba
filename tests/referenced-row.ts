import type { TestShop } from './shop.ts'

/** Runs an action while a transaction holds a row as the check of a foreign key does. */
export async function whileReferenced<Result>(
  { database: { pool } }: TestShop,
  { table, id }: { table: 'coupons' | 'customers' | 'documents'; id: string },
  action: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`select from ${table} where id = $1 for key share`, [id])
    return await action()
  } finally {
    await client.query('rollback')
    client.release()
  }
}
