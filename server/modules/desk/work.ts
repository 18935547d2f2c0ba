import type { Kysely } from 'kysely'
import type { ScanResult } from '../../../contract/scan.ts'
import type { Today } from '../../../contract/today.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'

/** The reads of other modules for the work of the day, and for scanned codes. */
interface WorkReads {
  countOrders: (
    db: Kysely<Database>,
  ) => Promise<Pick<Today, 'toShip' | 'oldestToShip' | 'unpaid' | 'newOrders'>>
  countFailedRefunds: (db: Kysely<Database>) => Promise<number>
  countFailedEmails: (db: Kysely<Database>) => Promise<number>
  countLowStock: (db: Kysely<Database>) => Promise<number>
  listOpenImports: (db: Kysely<Database>) => Promise<Today['imports']>
  countOpenReturns: (db: Kysely<Database>) => Promise<Pick<Today, 'returns' | 'withdrawals'>>
  listOrdersByCode: (db: Kysely<Database>, code: string) => Promise<ScanResult['orders']>
  listVariantsByCode: (db: Kysely<Database>, code: string) => Promise<ScanResult['variants']>
}

/** Registers the calls of Today and of the pages with a scanner. */
export function registerWork(calls: Calls, reads: WorkReads): void {
  calls.handle('getToday', async ({ db }) => {
    const [orders, failedRefunds, failedEmails, lowStock, imports, returns] = await Promise.all([
      reads.countOrders(db),
      reads.countFailedRefunds(db),
      reads.countFailedEmails(db),
      reads.countLowStock(db),
      reads.listOpenImports(db),
      reads.countOpenReturns(db),
    ])
    return { ...orders, failedRefunds, failedEmails, lowStock, imports, ...returns }
  })

  calls.handle('scan', async ({ query: { code }, caller, db }) => {
    const [orders, variants] = await Promise.all([
      caller.permissions.has('orders') ? reads.listOrdersByCode(db, code) : [],
      reads.listVariantsByCode(db, code),
    ])
    return { orders, variants }
  })
}
