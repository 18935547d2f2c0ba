import type { Kysely } from 'kysely'
import { pictureFormats, pictureWidths } from '../../../contract/pictures.ts'
import type { Database } from '../../../db/schema.ts'
import { createCounter } from '../../platform/telemetry/metrics.ts'
import { withOutcomeSpan } from '../../platform/telemetry/tracing.ts'
import * as repository from './repository.ts'

/** Files of uploaded pictures. Every function may be repeated. */
export interface PictureStore {
  put(key: repository.PictureKey, content: Buffer): Promise<void>
  /** Returns undefined if the file does not exist. */
  get(key: repository.PictureKey): Promise<Buffer | undefined>
  has(key: repository.PictureKey): Promise<boolean>
  /** Does nothing if the file does not exist. */
  remove(key: repository.PictureKey): Promise<void>
}

/**
 * A store in the shop's own database.
 *
 * @param readDb connections for requests that only read
 */
export const openPostgresStore = (db: Kysely<Database>, readDb = db): PictureStore => ({
  put: (key, content) => repository.putFile(db, key, content),
  get: (key) => repository.findFile(readDb, key),
  has: (key) => repository.hasFile(db, key),
  remove: (key) => repository.removeFile(db, key),
})

const requests = createCounter({
  name: 'shop_picture_store_requests_total',
  help: 'Requests to the store of uploaded pictures, after retries.',
  labelNames: ['operation', 'outcome'],
})

/** Counts and traces the requests to a store. */
export function countStoreRequests(store: PictureStore): PictureStore {
  const counted =
    <Input extends unknown[], Result>(operation: string, send: (...input: Input) => Promise<Result>) =>
    (...input: Input) =>
      withOutcomeSpan('call', `picture ${operation}`, async (span) => {
        let outcome = 'failure'
        try {
          const result = await send(...input)
          outcome = 'success'
          const content = [result, ...input].find((each) => Buffer.isBuffer(each))
          if (content) span.setAttribute('shop.bytes', content.length)
          return result
        } finally {
          requests.inc({ operation, outcome })
        }
      })
  return {
    put: counted('put', store.put),
    get: counted('get', store.get),
    has: counted('has', store.has),
    remove: counted('remove', store.remove),
  }
}

/** Returns the keys of all files that belong to a picture. */
export function listKeys(hash: string, widest: number): repository.PictureKey[] {
  const widths = pictureWidths.filter((width) => width <= widest)
  return [
    ...widths.flatMap((width) => pictureFormats.map((format) => ({ hash, width, format }))),
    { hash, width: widest, format: 'jpeg' },
  ]
}
