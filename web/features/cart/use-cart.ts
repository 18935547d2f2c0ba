import { useCallback, useEffect, useRef, useState } from 'react'
import type { CartLine } from '../../../contract/cart.ts'
import { explain } from '../../owner-store.ts'
import { type Cart, changeLine, inTurn, type LineChange, type LineKey, readCart, toLineId } from './cart.ts'
import { onCartChange } from './stored-cart.ts'

/** Quantities by line, see `toLineId`. */
type Quantities = Readonly<Record<string, number>>

interface CartState {
  /** Null until it is loaded. */
  cart: Cart | null
  /** Message of the last failure, or an empty text. */
  failure: string
  /** Lines whose quantity was reduced to the stock. It is the same object until another one is reduced. */
  reduced: Quantities
  /** Lines that are being changed, with their next quantity. */
  pending: Quantities
}

/** Only some buyers need its code. */
const loadReturned = () => import('./returned-lines.ts')

/** The cart of this browser's guest or customer. It follows changes in other tabs, and sends its own one by one. */
export function useCart() {
  const [state, setState] = useState<CartState>({ cart: null, failure: '', reduced: {}, pending: {} })
  const latest = useRef(0)

  const run = useCallback(async (work: () => Promise<Cart>) => {
    const turn = ++latest.current
    const changes = await inTurn(() => attempt(work))
    setState((old) => ({
      ...old,
      ...changes,
      reduced: changes.reduced ? { ...old.reduced, ...changes.reduced } : old.reduced,
      pending: turn === latest.current ? {} : old.pending,
    }))
  }, [])

  const setPending = (key: LineKey, quantity: number) =>
    setState((old) => ({ ...old, pending: { ...old.pending, [toLineId(key)]: quantity } }))

  const reload = useCallback((signal?: AbortSignal) => void run(() => readCart(signal)), [run])
  useEffect(() => {
    // The next page does not wait for a read of this one.
    const leaving = new AbortController()
    reload(leaving.signal)
    const stopFollowing = onCartChange((isOwn) => {
      if (!isOwn) reload(leaving.signal)
    })
    return () => {
      leaving.abort()
      stopFollowing()
    }
  }, [reload])

  return {
    ...state,
    reload: () => reload(),
    putBack: (line: CartLine) => void run(async () => (await loadReturned()).putBack([line])),
    /** Puts the lines of an order back. */
    putBackOrder: ({ id, key }: { id: string; key: string }) =>
      run(async () => (await loadReturned()).putBackOrder(id, key)),
    change(key: LineKey, change: LineChange) {
      setPending(key, change.quantity)
      void run(() => changeLine(key, change))
    },
    /** Replaces a line by one with another choice. */
    replace(key: LineKey, line: CartLine) {
      setPending(key, line.quantity)
      void run(async () => (await loadReturned()).replaceLine(key, line))
    },
  }
}

async function attempt(work: () => Promise<Cart>): Promise<Partial<CartState>> {
  try {
    return { ...(await reduceToStock(await work())), failure: '' }
  } catch (error) {
    return { failure: explain(error) }
  }
}

/** Reduces each quantity that is more than the stock. A line without stock stays as it is. */
async function reduceToStock(first: Cart): Promise<Partial<CartState>> {
  let cart = first
  let reduced: Quantities | undefined
  // A line that is reduced has no such problem afterwards, so each line is found at most once.
  for (let times = 0; times < first.lines.length; times++) {
    const line = cart.lines.find(({ problem }) => problem?.code === 'OUT_OF_STOCK' && problem.left > 0)
    if (!line) break
    cart = await changeLine(line.key, { quantity: line.left })
    reduced = { ...reduced, [toLineId(line.key)]: line.left }
  }
  return { cart: { ...cart, mergeFailure: first.mergeFailure }, ...(reduced && { reduced }) }
}
