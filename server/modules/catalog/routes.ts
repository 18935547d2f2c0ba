import type { Pool } from 'pg'
import type { Calls } from '../../http/calls.ts'
import { sendCsv } from '../../platform/database/csv-export.ts'
import { ShopError } from '../../platform/errors.ts'
import { readIfMatch, sendTagged } from '../../platform/http/etag.ts'
import { pageHeaders, sendPage } from '../../platform/http/paging.ts'
import * as allProducts from './all-products/service.ts'
import * as attributes from './attributes/service.ts'
import { exportQuery } from './files/part-numbers/queries.ts'
import { toExportQuery } from './files/products/file.ts'
import * as gear from './gear/service.ts'
import * as partNumbers from './part-numbers/service.ts'
import * as catalog from './service.ts'
import { suggest } from './suggestions.ts'
import * as synonyms from './synonyms/service.ts'

export function registerCatalog(calls: Calls, pool: Pool): void {
  calls.cached('listProducts', async ({ query, db, url, addHeaders }) => {
    const { products, total, estimated } = await catalog.createPublicQueries(db).products(query)
    addHeaders(pageHeaders(url, total))
    if (estimated) addHeaders({ 'x-total-estimated': 'true' })
    return products
  })

  calls.cached('countProducts', ({ query, db }) => catalog.createPublicQueries(db).facets(query))

  calls.cached('suggest', async ({ query, db }) => ({ suggestions: await suggest(db, query.q) }))

  calls.cached('getProduct', async ({ params, db }) => {
    const product = await catalog.createPublicQueries(db).product(params.id)
    if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
    return product
  })

  calls.handle('listAllProducts', async ({ query, db, reply }) =>
    sendPage(reply, await allProducts.listAllProducts(db, query)),
  )

  calls.handle('getAnyProduct', ({ params, db }) => allProducts.requireAnyProduct(db, params.id))

  calls.handle('hideProduct', ({ params, body, caller, db }) =>
    allProducts.hideProduct(db, params.id, body.hidden, caller),
  )

  calls.handle('restoreProduct', ({ params, caller, db }) =>
    allProducts.restoreProduct(db, params.id, caller),
  )

  calls.handle('addProduct', async ({ body, caller, db }) => ({
    acknowledged: true,
    insertedId: await catalog.addProduct(db, body, caller),
  }))

  calls.handle('getEditableProduct', async ({ params, db, reply }) =>
    sendTagged(reply, await catalog.requireEditableProduct(db, params.id)),
  )

  calls.handle('editProduct', async ({ params, headers, body, caller, db, reply }) => {
    sendTagged(reply, await catalog.editProduct(db, params.id, readIfMatch(headers), body, caller))
    return { acknowledged: true, modifiedCount: 1 }
  })

  calls.handle('listVariants', async ({ params, db, reply }) =>
    sendTagged(reply, await catalog.requireVariants(db, params.id)),
  )

  calls.handle('saveVariants', async ({ params, headers, body, caller, db, reply }) =>
    sendTagged(reply, await catalog.saveVariants(db, params.id, readIfMatch(headers), body, caller)),
  )

  calls.handle('deleteProduct', async ({ query, caller, db }) => ({
    acknowledged: true,
    deletedCount: (await catalog.deleteProduct(db, query.id, caller)) ? 1 : 0,
  }))

  calls.handle('updateProduct', async ({ params, body, caller, db }) => {
    const { stock, changed } = await catalog.changeStock(db, params.id, body, caller)
    return { acknowledged: true, modifiedCount: changed ? 1 : 0, quantity: stock }
  })

  calls.handle('saveCertificates', async ({ params, headers, body, caller, db, reply }) => {
    const edited = readIfMatch(headers)
    const saved = await catalog.saveCertificates(db, params.id, edited, body.certificates, caller)
    return { certificates: sendTagged(reply, saved).certificates }
  })

  calls.handle('savePictures', async ({ params, headers, body, caller, db, reply }) => {
    const saved = await catalog.savePictures(db, params.id, readIfMatch(headers), body.pictures, caller)
    return { pictures: sendTagged(reply, saved).pictures }
  })

  calls.handle('listAttributes', ({ db }) => attributes.listAttributes(db))

  calls.handle('saveAttributes', ({ params, body, caller, db }) =>
    attributes.saveAttributes(db, params.kind, body, caller),
  )

  calls.handle('saveProductAttributes', async ({ params, headers, body, caller, db, reply }) => {
    const edited = readIfMatch(headers)
    const saved = await catalog.saveProductAttributes(db, params.id, edited, body.attributes, caller)
    return { attributes: sendTagged(reply, saved).attributes }
  })

  calls.handle('listPartNumbers', ({ params, db }) => partNumbers.requirePartNumbers(db, params.id))

  calls.handle('savePartNumbers', ({ params, body, caller, db }) =>
    partNumbers.savePartNumbers(db, params.id, body, caller),
  )

  calls.handle('listBrands', async ({ query, db, reply }) =>
    sendPage(reply, await gear.listBrands(db, query)),
  )

  calls.handle('getBrand', ({ params, db }) => gear.requireBrand(db, params.name))

  calls.handle('saveBrand', ({ params, body, caller, db }) => gear.saveBrand(db, params.name, body, caller))

  calls.handle('listSynonyms', ({ db }) => synonyms.listSynonyms(db))

  calls.handle('saveSynonyms', ({ params, body, caller, db }) =>
    synonyms.saveSynonyms(db, params.id, body, caller),
  )

  calls.handle('deleteSynonyms', async ({ params, caller, db }) => {
    await synonyms.deleteSynonyms(db, params.id, caller)
    return { acknowledged: true, deletedCount: 1 }
  })

  calls.handle('listSizeCharts', async ({ query, db, reply }) =>
    sendPage(reply, await gear.listSizeCharts(db, query)),
  )

  calls.handle('getSizeChart', ({ params, db }) => gear.requireSizeChart(db, params.id))

  calls.handle('saveSizeChart', ({ params, body, caller, db }) =>
    gear.saveSizeChart(db, params.id, body, caller),
  )

  calls.handle('deleteSizeChart', async ({ params, caller, db }) => {
    await gear.deleteSizeChart(db, params.id, caller)
    return { acknowledged: true, deletedCount: 1 }
  })

  calls.handle('exportProducts', async ({ query, db, reply }) =>
    sendCsv(reply, {
      pool,
      name: 'products',
      ...(await toExportQuery(db, query)),
      bom: query.bom,
      decimals: query.decimals,
    }),
  )

  calls.handle('exportPartNumbers', async ({ query: { bom, decimals }, reply }) =>
    sendCsv(reply, { pool, name: 'part-numbers', query: exportQuery(decimals), bom, decimals }),
  )
}
