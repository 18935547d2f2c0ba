import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type DeliveryNote, maxReceiptLines, type Receipt } from '../../../contract/receipts.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { setAuditActor } from '../../platform/database/audit-actor.ts'
import { confirmCommits, inTransaction, isUniqueViolation, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import type { ListDelivered, Receive } from './file-kind.ts'
import { findReceipt } from './queries.ts'
import { recordImport } from './record.ts'
import { deleteDelivery, findImport, insertReceipt, updateImport } from './repository.ts'

/**
 * Records goods in or a stocktake as an import that is done. The same idempotency key records it once. It does not wait
 * for other imports: a file that is checked at the same time reads the stock when it runs.
 *
 * @returns the id of the import
 * @throws VARIANT_NOT_FOUND, STOCK_BELOW_ZERO, INVALID_REQUEST, IDEMPOTENCY_KEY_REUSED, IMPORT_NOT_READY if the delivery
 * note was booked or imported already
 */
export async function bookReceipt(
  { db, receive }: { db: Kysely<Database>; receive: Receive },
  receipt: Receipt,
  idempotencyKey: string,
  by: Actor,
): Promise<string> {
  if (receipt.kind === 'count' && receipt.deliveryNote !== undefined) {
    throw new ShopError('INVALID_REQUEST', { fields: { deliveryNote: 'A count has no delivery note' } })
  }
  const id = newId()
  const request_hash = createHash('sha256').update(JSON.stringify(receipt)).digest()
  const { length: rows } = receipt.lines
  try {
    await inTransaction(db, async (tx) => {
      // First, so that a repeated request waits here for this transaction.
      await insertReceipt(tx, {
        id,
        mode: receipt.kind === 'delivery' ? 'deliveries' : 'counts',
        file_name: toTitle(receipt),
        rows,
        idempotency_key: idempotencyKey,
        request_hash,
        started_by: by.customerId,
        run_by: by.customerId,
        run_ip: by.ip,
      })
      if (receipt.deliveryNote !== undefined && !(await deleteDelivery(tx, receipt.deliveryNote))) {
        throw new ShopError('IMPORT_NOT_READY', { details: { message: noteIsBooked } })
      }
      await setAuditActor(tx, by, id)
      const { changed, changes } = await receive(tx, receipt, by)
      await updateImport(tx, id, { changed, unchanged: rows - changed, changes: JSON.stringify(changes) })
      await recordImport(tx, id)
    })
    return id
  } catch (error) {
    if (!isUniqueViolation(error, 'product_imports_idempotency_key')) throw error
  }
  const booked = await findReceipt(db, idempotencyKey)
  if (!booked?.request_hash?.equals(request_hash)) {
    const message = 'This list was booked with other items. Look at Imports before you book it again.'
    throw new ShopError('IDEMPOTENCY_KEY_REUSED', { details: { message } })
  }
  // The first request may have failed because no standby had confirmed it.
  await confirmCommits(db)
  return booked.id
}

const noteIsBooked =
  'This delivery note was booked or imported already. Look at Imports, or remove the delivery note and book the list without it.'

/**
 * Returns the items of a checked delivery file.
 *
 * @throws NOT_FOUND, IMPORT_NOT_READY, DELIVERY_TOO_LARGE
 */
export async function requireDeliveryNote(
  { db, listDelivered }: { db: Kysely<Database>; listDelivered: ListDelivered },
  id: string,
): Promise<DeliveryNote> {
  const file = await findImport(db, id)
  if (!file) throw new ShopError('NOT_FOUND')
  if (file.state !== 'checked' || file.source !== 'file' || file.mode !== 'deliveries') {
    throw new ShopError('IMPORT_NOT_READY')
  }
  const lines = await listDelivered(db, id)
  if (lines.length > maxReceiptLines) throw new ShopError('DELIVERY_TOO_LARGE')
  return { fileName: file.file_name, supplier: file.supplier ?? undefined, lines }
}

/** The title of the import, such as `Goods in: Grauwerk, 4711`. */
function toTitle({ kind, supplier, reference }: Receipt): string {
  const details = [supplier, reference].filter(Boolean).join(', ')
  const title = kind === 'delivery' ? 'Goods in' : 'Stocktake'
  return details ? `${title}: ${details}` : title
}
