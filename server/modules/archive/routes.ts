import type { Calls } from '../../http/calls.ts'
import * as archive from './service.ts'

/** Registers the calls for the orders of an earlier shop. */
export function registerArchive(calls: Calls): void {
  calls.handle('searchPastOrders', ({ query: { q }, db }) => archive.searchPastOrders(db, q))
  calls.handle('listPastOrders', ({ caller, db }) => archive.listOwnPastOrders(db, caller))
}
