import { browserStore } from './browser-store.ts'

/** A guest's order that awaits payment, with its key: the browser is the guest's only way back to it beside the email. */
interface UnpaidOrder {
  id: string
  key: string
  /** Unix time in milliseconds when the order expires; null if that is not known. */
  until: number | null
}

const storageKey = 'unpaid-orders'
const maxOrders = 10

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
  typeof stored?.id === 'string' && typeof stored.key === 'string'

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

/** Removes an order that is paid, cancelled or expired. */
export function forgetUnpaid(id: string): void {
  const stored = store.read()
  if (stored.some((each) => each.id === id)) write(stored.filter((each) => each.id !== id))
}

/** Returns all stored orders, even expired ones. */
export const readUnpaidOrders = store.read

/** The guest's unpaid orders, oldest first, in all tabs. Empty on the server. */
export const useUnpaidOrders = (): UnpaidOrder[] =>
  store.useValue().filter(({ until }) => until === null || until > Date.now())

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
    const isOpen = orders.some(({ until }) => !until || until > Date.now())
    if (isOpen && !ownPages.test(location.pathname)) document.documentElement.dataset.unpaid = ''
  } catch {
    // Nothing is stored.
  }
}

/** Inline script of the document head. */
export const unpaidOrdersMark = `(${String(reserveSpace)})('${storageKey}', ${unpaidOrderPages})`
