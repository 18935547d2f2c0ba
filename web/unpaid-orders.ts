import { browserStore } from './browser-store.ts'

/** A guest's order that is not paid, with its key: the browser is the guest's only way back to it beside the email. */
export interface UnpaidOrder {
  id: string
  key: string
  /** Unix time in milliseconds when the order expires or has ended; null if that is not known. */
  until: number | null
  /** Why the order cannot be paid any more. */
  ended?: 'expired' | 'cancelled'
}

const storageKey = 'unpaid-orders'
const maxOrders = 10
/** For how long an order that has ended offers its items. */
const endedTtlMs = 14 * 24 * 60 * 60 * 1000

const store = browserStore({ keys: [storageKey], parse: parseOrders, listCopies: () => [] })

function parseOrders(text: string | null = null): UnpaidOrder[] {
  try {
    const orders: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(orders) ? orders.filter(isOrder) : []
  } catch {
    return []
  }
}

const isOrder = (stored: Partial<UnpaidOrder> | null): stored is UnpaidOrder =>
  typeof stored?.id === 'string' &&
  typeof stored.key === 'string' &&
  (!stored.ended || Number(stored.until) > Date.now() - endedTtlMs)

function write(orders: UnpaidOrder[]): void {
  try {
    store.write(storageKey, orders.length === 0 ? null : JSON.stringify(orders.slice(-maxOrders)))
  } catch {
    // The email has the link too.
  }
}

/** Stores an unpaid order, the newest last. One that is stored already keeps its place. */
export function rememberUnpaid(order: UnpaidOrder): void {
  const stored = store.read()
  const isKnown = stored.some(({ id }) => id === order.id)
  write(isKnown ? stored.map((each) => (each.id === order.id ? order : each)) : [...stored, order])
}

/** Marks a stored order as ended, so that the cart offers its items. One that was removed is not stored again. */
export function endUnpaid(id: string, ended: UnpaidOrder['ended']): void {
  const order = store.read().find((each) => each.id === id)
  if (order && !order.ended) rememberUnpaid({ ...order, until: Date.now(), ended })
}

/** Removes an order that is paid, that the buyer dismissed, or whose items are in the cart again. */
export function forgetUnpaid(id: string): void {
  const stored = store.read()
  if (stored.some((each) => each.id === id)) write(stored.filter((each) => each.id !== id))
}

/** Removes ended orders from localStorage after their days, because their keys open a name and an address. */
export const removeOldOrders = (): void => write(store.read())

/** Returns all stored orders, even ended ones. */
export const readUnpaidOrders = store.read

/** The guest's unpaid orders, oldest first, in all tabs. Empty on the server. */
export const useUnpaidOrders = (): UnpaidOrder[] =>
  store.useValue().filter(({ until, ended }) => !ended && (until === null || until > Date.now()))

/** The guest's orders that have expired or were cancelled in the last days, oldest first. Empty on the server. */
export const useEndedOrders = (): UnpaidOrder[] => store.useValue().filter(({ ended }) => ended)

/** Paths of the pages that show the unpaid orders themselves. */
export const unpaidOrderPages = /^\/(cart$|order\/)/

/**
 * Marks the document if it will have a line about an unpaid order, so that the style sheet reserves its space before the
 * first paint: only the browser knows it.
 *
 * Sent to the browser as source text, so it must not use imports or variables of this module.
 */
function reserveSpace(key: string, ownPages: RegExp): void {
  try {
    const orders = JSON.parse(localStorage.getItem(key) ?? '[]') as UnpaidOrder[]
    const isOpen = orders.some(({ until, ended }) => !ended && (!until || until > Date.now()))
    if (isOpen && !ownPages.test(location.pathname)) document.documentElement.dataset.unpaid = ''
  } catch {
    // Nothing is stored.
  }
}

/** Inline script of the document head. */
export const unpaidOrdersMark = `(${String(reserveSpace)})('${storageKey}', ${unpaidOrderPages})`
