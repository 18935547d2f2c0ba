import { untilWaiting } from './database.ts'
import type { TestShop } from './shop.ts'

/** Sends a request that waits until a bike is removed, and returns its response. */
export async function whileRemoved<Response>(
  { db }: TestShop,
  bike: number,
  request: () => Promise<Response>,
): Promise<Response> {
  const { response } = await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('bikes').where('id', '=', bike).execute()
    const response = request()
    await untilWaiting({ db })
    return { response }
  })
  return response
}
