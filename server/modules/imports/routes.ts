import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { type ImportSummary, importKinds, mayImport, type ProductImport } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import type { Caller } from '../../platform/actor.ts'
import { byteOrderMark, copyCsv, sendCopy } from '../../platform/database/csv-export.ts'
import { ShopError } from '../../platform/errors.ts'
import { sendPage } from '../../platform/http/paging.ts'
import type { ListDelivered, Receive } from './file-kind.ts'
import * as queries from './queries.ts'
import { bookReceipt, requireDeliveryNote } from './receipts.ts'
import { cancelSchedule, scheduleImport } from './schedule.ts'
import * as imports from './service.ts'
import { previewFile } from './suppliers/preview.ts'
import * as suppliers from './suppliers/repository.ts'

/**
 * @param deps with connections for work that may take long
 * @param writeDb with connections for requests that write
 * @param pool of the same database
 */
export function registerImports(
  calls: Calls,
  deps: imports.ImportDeps & { receive: Receive; listDelivered: ListDelivered },
  writeDb: Kysely<Database>,
  pool: Pool,
): void {
  calls.handle(
    'checkImport',
    async ({ query: { kind = 'products', mode = 'all', ...query }, request, caller }) => {
      if (!mayImport(caller.permissions, kind)) throw new ShopError('NOT_ALLOWED')
      const bytes = request.body as AsyncIterable<Buffer>
      return { id: await imports.checkFile(deps, { kind, mode, ...query }, bytes, caller) }
    },
  )

  calls.handle('previewImport', async ({ query, request, db }) => {
    const { kind = 'products', mode = 'all', supplier = null, encoding } = query
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    return previewFile({ db, kinds: deps.kinds }, { kind, mode, supplier, encoding }, bytes)
  })

  calls.handle('listSuppliers', async ({ db }) => suppliers.listSuppliers(db))

  calls.handle('saveSupplierFile', async ({ params: { name, kind }, body, db }) =>
    suppliers.saveFile(db, name, kind, body),
  )

  /** @throws NOT_FOUND, and NOT_ALLOWED if the caller may not import files of this kind */
  async function requireImport(
    id: string,
    { permissions }: Caller,
    readDb = writeDb,
  ): Promise<queries.ListedImport> {
    const found = await imports.requireImport(writeDb, id, readDb)
    if (!mayImport(permissions, found.kind)) throw new ShopError('NOT_ALLOWED')
    return found
  }

  calls.handle('exportWrongRows', async ({ params, caller, db, reply }) => {
    const file = await requireImport(params.id, caller, db)
    const query = await imports.exportWrongRows(db, file)
    const statement = copyCsv(query, { separator: file.separator, hasHeader: false })
    return sendCopy(reply, { pool, name: 'left-out', statement, start: byteOrderMark })
  })

  calls.handle('getImport', async ({ params, caller, db }) =>
    presentImport(await requireImport(params.id, caller, db)),
  )

  calls.handle('runImport', async ({ params, query, body: { hosts = [] }, caller }) => {
    const { acceptWarnings, skipErrors, at } = query
    const options = { acceptsWarnings: acceptWarnings === 'true', skipsErrors: skipErrors === 'true', hosts }
    const file = await requireImport(params.id, caller)
    if (at === undefined) await imports.runImport(deps, file, caller, options)
    else await scheduleImport(deps, file, caller, at, options)
    return presentImport(await imports.requireImport(writeDb, params.id))
  })

  calls.handle('cancelImport', async ({ params, caller }) => {
    await requireImport(params.id, caller)
    await cancelSchedule(writeDb, params.id)
    return presentImport(await imports.requireImport(writeDb, params.id))
  })

  calls.handle('listImports', async ({ query, caller, db, reply }) => {
    const kinds = importKinds.filter((kind) => mayImport(caller.permissions, kind))
    return sendPage(reply, await queries.listImports(db, query, kinds)).map(presentSummary)
  })

  calls.handle('bookReceipt', async ({ body, headers, caller, db }) => {
    const id = await bookReceipt({ db, receive: deps.receive }, body, headers['idempotency-key'], caller)
    return presentSummary(await imports.requireImport(db, id))
  })

  calls.handle('getDeliveryNote', ({ params, db }) =>
    requireDeliveryNote({ db, listDelivered: deps.listDelivered }, params.id),
  )

  calls.handle('changeProducts', async ({ body, caller }) => ({
    id: await imports.checkSelection(deps, body, caller),
  }))

  calls.handle('undoImport', async ({ params, caller }) => {
    await requireImport(params.id, caller)
    return { id: await imports.undoImport(deps, params.id, caller) }
  })
}

/** Converts an import to a row of the list. The contract drops the other columns. */
function presentSummary(found: queries.ListedImport) {
  return {
    ...found,
    fileName: found.file_name,
    skippedCount: found.skipped_count,
    startedAt: found.started_at.toISOString(),
    startedBy: found.started_by_email ?? undefined,
    undoOf: found.undo_of ?? undefined,
    undoneBy: found.undone_by ?? undefined,
    undoable: imports.isUndoable(found),
    wrongRows: found.wrong_rows,
    skipsErrors: found.skips_errors,
    supplier: found.supplier ?? undefined,
    runAt: found.scheduled_for?.toISOString(),
  } satisfies ImportSummary
}

/** Converts an import to the wire format. The contract drops the other columns. */
function presentImport(found: queries.ListedImport): ProductImport {
  return {
    ...found,
    ...presentSummary(found),
    errorCount: found.error_count,
    errorGroups: found.error_groups,
    unknownCount: found.unknown_count,
    yearsWithoutBike: found.years_without_bike,
    leftOutCount: found.left_out_count,
    leftOut: found.left_out,
    pictureHosts: found.picture_hosts,
    otherShop: found.other_shop ?? undefined,
    copiedHosts: found.copied_hosts,
  }
}
