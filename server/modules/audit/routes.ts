import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { presentChange } from './present.ts'
import * as queries from './queries.ts'

const usualPage = 50

export function registerAudit(calls: Calls, db: Kysely<Database>): void {
  calls.handle('listAudit', async ({ query }) => {
    const size = query.pageSize ?? usualPage
    const after = query.after === undefined ? null : decodeCursor(query.after)
    // One extra row shows whether there is a next page.
    const changes = await queries.listChanges(db, query, after, size + 1)
    const last = changes.length > size ? changes[size - 1] : undefined
    return { entries: changes.slice(0, size).map(presentChange), next: last && encodeCursor(last) }
  })
}
