import { setTimeout as pause } from 'node:timers/promises'
import type { ImportKind, ImportMode, ProductImport } from '../contract/imports.ts'
import { fileKinds, undoOfProducts } from '../server/compose-files.ts'
import { mayImport } from '../server/modules/customers/service.ts'
import type { Caller } from './call.ts'
import type { TestShop } from './shop.ts'

export const productHeader = 'sku,name,price,quantity,minimum,description,image'

/** A row of a product file, below `productHeader`. */
export const productRow = (sku: string, { name = 'Chain', price = 40, quantity = '10' } = {}): string =>
  `${sku},${name},${price},${quantity},1,Steel.,/pictures/chain.svg`

type As = { token: string }

export function uploadFile(
  shop: Caller,
  as: As | undefined,
  file: string | Buffer,
  kind: ImportKind = 'products',
  mode: ImportMode = 'all',
  supplier?: string,
  others: { stock?: number; productPath?: string } = {},
) {
  return shop.call('checkImport', {
    as,
    query: { fileName: `${kind}.csv`, kind, mode, ...(supplier && { supplier }), ...others },
    body: Buffer.from(file),
    headers: { 'content-type': 'text/csv' },
  })
}

/** Polls an import until it is in one of these states. */
export async function waitForImportState(
  shop: Caller,
  as: As,
  id: string,
  states: ProductImport['state'][],
): Promise<ProductImport> {
  for (;;) {
    const { body, status } = await shop.call('getImport', { as, params: { id } })
    if (status === 200 && states.includes(body.state)) return body
    // On a busy machine the database may respond too late once.
    if (![200, 503].includes(status)) throw new Error(`the import can't be read: ${JSON.stringify(body)}`)
    await pause(20)
  }
}

/** Waits until the dry run or the import has ended. */
export const waitForImport = (shop: Caller, as: As, id: string): Promise<ProductImport> =>
  waitForImportState(shop, as, id, ['checked', 'done', 'failed'])

/** Uploads a file, and waits until it is checked. */
export async function checkFile(
  shop: Caller,
  as: As,
  file: string | Buffer,
  kind: ImportKind = 'products',
  mode: ImportMode = 'all',
  supplier?: string,
  others: Parameters<typeof uploadFile>[6] = {},
): Promise<ProductImport> {
  return waitForImport(shop, as, (await uploadFile(shop, as, file, kind, mode, supplier, others)).body.id)
}

/** Imports a checked file with its large changes, and waits for the result. */
export async function runImport(
  shop: Caller,
  as: As,
  { id }: ProductImport,
  query: { skipErrors?: 'true' } = {},
): Promise<ProductImport> {
  const { body, status } = await shop.call('runImport', {
    as,
    params: { id },
    query: { acceptWarnings: 'true', ...query },
  })
  if (status !== 200) throw new Error(`the import was refused: ${JSON.stringify(body)}`)
  return waitForImport(shop, as, id)
}

/** The dependencies of the job that continues imports. */
export const importDeps = ({ db, app }: TestShop) => ({
  db,
  log: app.log,
  kinds: fileKinds,
  undo: undoOfProducts,
  mayImport,
})

/** Opens the undo of an import, and waits until it is checked. */
export async function checkUndo(shop: Caller, as: As, { id }: ProductImport): Promise<ProductImport> {
  const { body, status } = await shop.call('undoImport', { as, params: { id } })
  if (status !== 200) throw new Error(`the undo was refused: ${JSON.stringify(body)}`)
  return waitForImport(shop, as, body.id)
}
