import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { fileKinds, rowTables, undoOfProducts } from './compose-files.ts'
import type { ShopServices } from './compose-services.ts'
import * as products from './modules/catalog/pictures/service.ts'
import { compactCounts } from './modules/catalog/service.ts'
import { deleteOldSignIns, fetchPhotos, mayImport } from './modules/customers/service.ts'
import { runImports } from './modules/imports/schedule.ts'
import { deleteOldRows } from './modules/imports/service.ts'
import { indexEarlierOrders } from './modules/orders/service.ts'
import { expireUnpaidOrders } from './modules/payments/cancellation.ts'
import { checkRefunds, reconcilePayments, retryRefunds } from './modules/payments/jobs.ts'
import { copyPictures } from './modules/pictures/downloads/service.ts'
import { deleteUnusedPictures } from './modules/pictures/service.ts'
import { closeCancelled } from './modules/returns/service.ts'
import { hourMs, type Job, minuteMs } from './platform/jobs.ts'
import { deleteEndedWindows } from './platform/rate-limiter.ts'

/** Lists the jobs that all processes of the shop share. Each process that runs jobs also sends emails. */
export function listJobs(
  db: Kysely<Database>,
  { identity, payments, pictureStore: store }: Pick<ShopServices, 'identity' | 'payments' | 'pictureStore'>,
): Job[] {
  const { log } = payments
  const paymentDeps = { ...payments, db }
  const importDeps = { db, log, kinds: fileKinds, undo: undoOfProducts, mayImport }
  const jobs: [name: string, intervalMs: number, run: Job['run']][] = [
    ['reconcile payments', minuteMs, (signal) => reconcilePayments(paymentDeps, signal)],
    ['retry refunds', minuteMs, (signal) => retryRefunds(paymentDeps, signal)],
    ['check refunds', hourMs, (signal) => checkRefunds(paymentDeps, signal)],
    ['expire unpaid orders', minuteMs, (signal) => expireUnpaidOrders(paymentDeps, signal)],
    ['close withdrawals of cancelled orders', minuteMs, () => closeCancelled(db)],
    ['index earlier orders', minuteMs, (signal) => indexEarlierOrders(db, signal)],
    ['fetch profile photos', 10_000, (signal) => fetchPhotos({ db, store }, signal)],
    ['copy pictures', 10_000, (signal) => copyPictures({ db, store, products }, signal)],
    ['compact product counts', 10 * minuteMs, () => compactCounts(db)],
    ['delete expired sessions', hourMs, () => identity.deleteExpired(db)],
    ['delete old second steps', hourMs, () => deleteOldSignIns(db)],
    ['delete ended rate limits', hourMs, () => deleteEndedWindows(db)],
    ['delete unused pictures', 10 * minuteMs, (signal) => deleteUnusedPictures({ db, store, log }, signal)],
    ['continue imports', minuteMs, (signal) => runImports(importDeps, signal)],
    ['delete rows of old imports', hourMs, (signal) => deleteOldRows(db, rowTables, signal)],
  ]
  return jobs.map(([name, intervalMs, run]) => ({ name, intervalMs, run }))
}
