import type { Kysely, Transaction } from 'kysely'
import {
  changesProducts,
  type ImportError,
  type ImportKind,
  type ImportMode,
  maxListedErrors,
  maxListedNotes,
  type SkippedProduct,
} from '../../../contract/imports.ts'
import type { ProductChanges } from '../../../contract/product-changes.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { lockApplying } from '../../platform/database/advisory-locks.ts'
import { setAuditActor } from '../../platform/database/audit-actor.ts'
import { newId, rejectTaken } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { type BackgroundDeps, runInBackground, shopRestarted } from './background.ts'
import { runBatches, toLostRows } from './batches.ts'
import type { FileKind, InBatches, ReadOptions, Selection, Undo } from './file-kind.ts'
import * as queries from './queries.ts'
import { type Batch, FileRefused, readFile } from './read-file.ts'
import { recordImport } from './record.ts'
import * as repository from './repository.ts'
import * as suppliers from './suppliers/repository.ts'
import * as wrongRows from './wrong-rows/repository.ts'

export type { Receive } from './file-kind.ts'
export { listOpenImports } from './queries.ts'
export { deleteOldRows, tryDelayImports } from './repository.ts'

export interface ImportDeps extends BackgroundDeps {
  kinds: Record<ImportKind, FileKind>
  undo: Undo
  selection: Selection
}

/**
 * Reads a file, then checks it in the background. Does not change the catalog.
 *
 * @returns the import's id when the whole file is read
 * @throws IMPORT_IN_PROGRESS
 */
export async function checkFile(
  deps: ImportDeps,
  { fileName, kind, mode, supplier = null, stock = 0, productPath = '/product' }: UploadedFile,
  bytes: AsyncIterable<Buffer>,
  by: Actor,
): Promise<string> {
  const id = newId()
  await runInBackground(deps, id, async (tx, begun) => {
    const row = { id, kind, mode, supplier, file_name: fileName, started_by: by.customerId }
    await repository.insertImport(deps.db, { ...row, state: 'reading' })
    const found = await readRows(deps, tx, { ...row, stock, productPath }, bytes)
    await repository.updateImport(deps.db, id, { state: 'checking', rows: found.rows })
    begun()
    await check(deps.kinds[kind], tx, { id, mode }, found)
  })
  return id
}

interface UploadedFile {
  fileName: string
  kind: ImportKind
  mode: ImportMode
  supplier?: string | null | undefined
  stock?: number | undefined
  productPath?: string | undefined
}

interface Found
  extends Pick<Batch, 'columns' | 'header' | 'names' | 'separator' | 'leftOut' | 'notes' | 'theirs'> {
  rows: number
  errors: ImportError[]
  errorCount: number
}

async function readRows(
  { db, work, kinds }: ImportDeps,
  tx: Transaction<Database>,
  {
    id,
    kind: kindName,
    supplier,
    ...options
  }: Pick<repository.ProductImport, 'id' | 'kind' | 'supplier'> & ReadOptions,
  bytes: AsyncIterable<Buffer>,
): Promise<Found> {
  const kind = kinds[kindName]
  const source = supplier === null ? undefined : await suppliers.findFile(db, supplier, kindName)
  const batches =
    'read' in kind
      ? kind.read(bytes, tx, options)
      : readFile(bytes, await kind.toFormat(tx, { mode: options.mode, supplier }), {
          ...source,
          kind: kindName,
        })
  const found: Found = { columns: [], rows: 0, errors: [], errorCount: 0 }
  for await (const { rows, errors, wrong = [], rowsRead, ...others } of batches) {
    work.signal.throwIfAborted()
    await kind.insertRows(tx, id, rows)
    await wrongRows.insertWrongRows(tx, id, wrong)
    await repository.updateImport(db, id, { rows: rowsRead })
    Object.assign(found, others)
    found.rows = rowsRead
    found.errors.push(...errors.slice(0, maxListedErrors - found.errors.length))
    found.errorCount += errors.length
  }
  return found
}

/** Columns by which an admin finds a row. */
const keyColumns = ['sku', 'part_number', 'id', 'gtin']

async function check(
  kind: FileKind,
  tx: Transaction<Database>,
  { id, mode }: Pick<repository.ProductImport, 'id' | 'mode'>,
  found: Found,
): Promise<void> {
  const { columns, leftOut = { count: 0, brands: [] }, notes = [], theirs } = found
  const {
    errors,
    total,
    effect,
    changes,
    unknown,
    warnings = [],
    ...others
  } = await kind.check(tx, id, columns, mode)
  const withTheirColumn = <Row extends { column: string }>(row: Row): Row => ({
    ...row,
    column: theirs?.[row.column] ?? row.column,
  })
  const listed = [...found.errors, ...errors]
    .map(withTheirColumn)
    .toSorted((one, other) => one.row - other.row)
    .slice(0, maxListedErrors)
  const wrong = await wrongRows.countWrongRows(tx, id)
  const groups =
    wrong > 0 ? await wrongRows.groupErrors(tx, id, { columns: found.names ?? [], keyColumns }) : []
  if (wrong > 0 && theirs) await wrongRows.renameColumns(tx, id, theirs)
  await repository.updateImport(tx, id, {
    state: 'checked',
    columns,
    done: found.rows,
    ...effect,
    left_out_count: leftOut.count,
    left_out: JSON.stringify(leftOut.brands),
    error_count: found.errorCount + total,
    errors: JSON.stringify(listed),
    header: JSON.stringify(found.header ?? []),
    separator: found.separator ?? ',',
    wrong_rows: wrong,
    error_groups: JSON.stringify(groups.map(withTheirColumn)),
    changes: JSON.stringify(changes),
    warnings: JSON.stringify(warnings),
    ...(unknown && { unknown_count: unknown.count, unknown: JSON.stringify(unknown.rows) }),
    notes: JSON.stringify(notes.toSorted((one, other) => other.count - one.count).slice(0, maxListedNotes)),
    ...(others.otherShop && { other_shop: JSON.stringify(others.otherShop) }),
    ...(others.pictureHosts && { picture_hosts: JSON.stringify(others.pictureHosts) }),
  })
}

/**
 * Checks in the background how an import can be undone, as a new import that must be run. Does not change the catalog.
 *
 * @returns the id of the undo
 * @throws NOT_FOUND, IMPORT_NOT_UNDOABLE, IMPORT_ALREADY_UNDONE, IMPORT_IN_PROGRESS
 */
export async function undoImport(deps: ImportDeps, undoneId: string, by: Actor): Promise<string> {
  const id = newId()
  await runInBackground(deps, id, async (tx, begun) => {
    const undone = await queries.findListed(deps.db, undoneId)
    if (!undone) throw new ShopError('NOT_FOUND')
    if (undone.undone_by !== null) throw new ShopError('IMPORT_ALREADY_UNDONE')
    if (!isUndoable(undone)) throw new ShopError('IMPORT_NOT_UNDOABLE')
    const { kind, file_name } = undone
    await repository.insertImport(deps.db, {
      id,
      kind,
      file_name,
      started_by: by.customerId,
      source: 'undo',
      undo_of: undoneId,
      state: 'checking',
    })
    begun()
    const { stageUndo } = deps.kinds[kind]
    if (stageUndo) await checkReplaced(deps.kinds[kind], tx, id, await stageUndo(tx, id, undoneId))
    else await checkStaged(deps, tx, id, { rows: await deps.undo.stage(tx, id, undoneId) })
  })
  return id
}

/** Checks the rows of an undo as a file with these rows. */
async function checkReplaced(
  kind: FileKind,
  tx: Transaction<Database>,
  id: string,
  skipped: SkippedProduct[],
): Promise<void> {
  const rows = await queries.countRows(tx, id, kind.rowTable)
  await check(kind, tx, { id, mode: 'all' }, { columns: [], rows, errors: [], errorCount: 0 })
  await repository.updateImport(tx, id, repository.toSkipped(skipped))
}

/** Checks the rows of an undo or of a selection, and stores the result. */
async function checkStaged(
  { undo }: ImportDeps,
  tx: Transaction<Database>,
  id: string,
  { rows, ...known }: { rows: number; unchanged?: number; warnings?: string },
): Promise<void> {
  const { effect, changes, skipped } = await undo.check(tx, id)
  await repository.updateImport(tx, id, {
    state: 'checked',
    rows,
    done: rows,
    ...effect,
    ...known,
    changes: JSON.stringify(changes),
    ...repository.toSkipped(skipped),
  })
}

/**
 * Checks in the background one change of many products, as a new import that must be run. Does not change the catalog.
 *
 * @returns the id of the import
 * @throws IMPORT_IN_PROGRESS, SELECTION_CHANGED, NOTHING_SELECTED, SELECTION_TOO_LARGE
 */
export async function checkSelection(deps: ImportDeps, changes: ProductChanges, by: Actor): Promise<string> {
  const id = newId()
  await runInBackground(deps, id, async (tx, begun) => {
    const { ids, title } = await deps.selection.select(tx, changes)
    await repository.insertImport(deps.db, {
      id,
      kind: 'products',
      file_name: title,
      started_by: by.customerId,
      source: 'selection',
      state: 'checking',
      rows: ids.length,
    })
    begun()
    const { unchanged, warnings } = await deps.selection.stage(tx, id, ids, changes)
    await checkStaged(deps, tx, id, { rows: ids.length, unchanged, warnings: JSON.stringify(warnings) })
  })
  return id
}

/**
 * Whether an import has changed products, and its history names it, or the replaced values are stored. Imports of earlier
 * versions have no batches.
 */
export const isUndoable = (found: queries.ListedImport): boolean =>
  (changesProducts(found.kind) || found.has_replaced) &&
  found.undone_by === null &&
  (found.state === 'done' || found.state === 'failed') &&
  found.batch_count !== null &&
  found.added + found.changed + found.removed > 0

/**
 * `acceptsWarnings`: an admin has checked the large changes. `skipsErrors`: wrong rows are left out. `hosts`: pictures on
 * these hosts are copied.
 */
export interface RunOptions {
  acceptsWarnings: boolean
  skipsErrors: boolean
  hosts: string[]
}

/**
 * Imports a checked file. Continues in the background.
 *
 * @throws IMPORT_NOT_READY, WARNINGS_NOT_ACCEPTED, HOST_NOT_IN_FILE, IMPORT_IN_PROGRESS, IMPORT_ALREADY_UNDONE
 */
export async function runImport(
  deps: ImportDeps,
  file: repository.ProductImport,
  by: Actor,
  options: RunOptions,
): Promise<void> {
  const { db, log, work } = deps
  const { id } = file
  requireConfirmed(file, options)
  const kind = kindOfImport(deps, file)
  const inBatches = 'batches' in kind
  await runInBackground(deps, id, async (tx, begun) => {
    const isBegun = await repository
      .beginImporting(db, id, by, { inBatches, ...options })
      .catch(rejectTaken({ product_imports_undone: 'IMPORT_ALREADY_UNDONE' }))
    if (!isBegun) throw new ShopError('IMPORT_NOT_READY')
    begun()
    if (inBatches) {
      // If it is interrupted, `continueImports` goes on with it.
      await runBatches({ db, log }, id, kind, work.signal).catch((error: unknown) => {
        if (!work.signal.aborted) log.error({ err: error }, 'an import was interrupted, continuing later')
      })
      return
    }
    await setAuditActor(tx, by, id)
    await lockApplying(tx)
    // A restored backup has no rows.
    if (hasEffect(file) && !(await queries.hasRows(tx, id, kind.rowTable)))
      throw new FileRefused(toLostRows(file))
    const effect = await kind.run(tx, file, by, async (share) => {
      work.signal.throwIfAborted()
      // On another connection, because this transaction is not visible. If there is none, the progress is shown later.
      await repository
        .updateImport(db, id, { done: Math.floor(share * file.rows) })
        .catch((error: unknown) => log.warn({ err: error }, 'could not store the progress of an import'))
    })
    await repository.updateImport(tx, id, { state: 'done', ...effect, done: file.rows })
    await recordImport(tx, id)
  })
}

/** Whether a checked file has rows that the shop can import. Rows that are left out are not stored. */
const hasEffect = ({ added, changed, unchanged, removed }: repository.ProductImport) =>
  added + changed + unchanged + removed > 0

/**
 * Large changes must be confirmed, if the file can run at all, and only pictures that the admin has seen are copied.
 *
 * @throws WARNINGS_NOT_ACCEPTED, HOST_NOT_IN_FILE
 */
export function requireConfirmed(
  { state, error_count, wrong_rows, warnings, picture_hosts }: repository.ProductImport,
  { acceptsWarnings, skipsErrors, hosts }: RunOptions,
): void {
  const known = picture_hosts.map(({ host }) => host)
  if (!hosts.every((host) => known.includes(host))) throw new ShopError('HOST_NOT_IN_FILE')
  const canRun = state === 'checked' && (error_count === 0 || (skipsErrors && wrong_rows > 0))
  if (canRun && warnings.length > 0 && !acceptsWarnings) throw new ShopError('WARNINGS_NOT_ACCEPTED')
}

const kindOfImport = (
  { kinds, undo }: Pick<ImportDeps, 'kinds' | 'undo'>,
  { source, kind }: Pick<repository.ProductImport, 'source' | 'kind'>,
): Undo | FileKind => (source === 'file' || kinds[kind].stageUndo ? kinds[kind] : undo)

/**
 * Continues an import in batches whose process has ended. For a job.
 *
 * @returns 0 if the time of the run has ended before the import
 */
export async function continueImports(
  deps: Pick<ImportDeps, 'db' | 'log' | 'kinds' | 'undo'>,
  signal: AbortSignal,
): Promise<number | void> {
  if (!(await repository.findRunning(deps.db))) return
  return deps.db.transaction().execute(async (tx) => {
    if (!(await repository.tryLockImports(tx))) return
    const running = await repository.findRunning(deps.db)
    const file = running && (await repository.findImport(deps.db, running.id))
    if (!file) return
    try {
      await runBatches(deps, file.id, kindOfImport(deps, file) as InBatches & FileKind, signal)
    } catch (error) {
      if (signal.aborted) return 0
      throw error
    }
  })
}

/**
 * Marks the import as failed if its process has ended.
 *
 * @param readDb of a request that only reads
 * @throws NOT_FOUND
 */
export async function requireImport(
  db: Kysely<Database>,
  id: string,
  readDb = db,
): Promise<queries.ListedImport> {
  const found = await queries.findListed(readDb, id)
  if (!found) throw new ShopError('NOT_FOUND')
  if (!['reading', 'checking', 'importing'].includes(found.state)) return found
  await repository.failAbandoned(db, shopRestarted)
  return (await queries.findListed(db, id)) ?? found
}

/**
 * Returns a query of the rows that the import leaves out.
 *
 * @throws NOT_FOUND if it has no wrong rows any more
 */
export async function exportWrongRows(db: Kysely<Database>, file: repository.ProductImport): Promise<string> {
  if ((await wrongRows.countWrongRows(db, file.id)) === 0) throw new ShopError('NOT_FOUND')
  return wrongRows.exportQuery(db, file)
}
