import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../calls.ts'
import { sendPage } from '../../platform/page.ts'
import { presentProduct } from './present.ts'
import * as catalog from './service.ts'

export function registerCatalog(calls: Calls, db: Kysely<Database>): void {
  calls.handle('listProducts', async ({ query, reply }) => {
    const page = await catalog.listProducts(db, query)
    if (page.estimated) reply.header('X-Total-Estimated', 'true')
    return sendPage(reply, page).map(presentProduct)
  })

  calls.handle('countProducts', ({ query }) => catalog.countFacets(db, query))

  calls.handle('getProduct', async ({ params }) =>
    presentProduct(await catalog.requireProduct(db, params.id)),
  )

  calls.handle('addProduct', async ({ body, caller }) => ({
    acknowledged: true,
    insertedId: await catalog.addProduct(db, body, caller),
  }))

  calls.handle('editProduct', async ({ params, body, caller }) => {
    await catalog.editProduct(db, params.id, body, caller)
    return { acknowledged: true, modifiedCount: 1 }
  })

  calls.handle('deleteProduct', async ({ query, caller }) => ({
    acknowledged: true,
    deletedCount: (await catalog.deleteProduct(db, query.id, caller)) ? 1 : 0,
  }))

  calls.handle('updateProduct', async ({ params, body, caller }) => {
    const { stock, changed } = await catalog.changeStock(db, params.id, body, caller)
    return { acknowledged: true, modifiedCount: changed ? 1 : 0, quantity: stock }
  })
}
