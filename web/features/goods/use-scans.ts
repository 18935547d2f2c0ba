import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ImportSummary } from '../../../contract/imports.ts'
import type { Receipt } from '../../../contract/receipts.ts'
import { ApiError, call, isClientError, readMessage } from '../../api.ts'
import { browserStore } from '../../browser-store.ts'
import { useScanQueue } from '../../ui/scan-queue.ts'
import { useScanMessage } from '../../ui/scan-status.tsx'
import type { ScanList, ScannedLine, ScannedVariant, UnknownCode } from './scan-list.ts'
import * as state from './scan-list.ts'

const toStore = (key: string) =>
  browserStore({ keys: [key], parse: (text = null) => state.parseList(text), listCopies: () => [] })
const storageNames = { delivery: 'goods-in', count: 'stocktake' }
const stores = { delivery: toStore(storageNames.delivery), count: toStore(storageNames.count) }

/** Statuses of a request that the shop rejected before it looked at the list: an earlier one may have succeeded. */
const uninformative = [401, 408, 429]

const notStored =
  'Your browser could not save this change. Allow this site to store data, or free some space. Then try again.'
const unanswered = 'Book this list first: we do not know yet whether it is booked.'

/** The list of a delivery or of a count, which is stored in this browser until it is booked, and what scans do to it. */
export function useScans(kind: Receipt['kind']) {
  const client = useQueryClient()
  const store = stores[kind]
  const list = store.useValue()
  const [message, say] = useScanMessage('Scan the first item.')
  const [isBooking, setBooking] = useState(false)
  const [booked, setBooked] = useState<ImportSummary | null>(null)
  /** Stock by the id of an item that the shop does not accept. */
  const [refused, setRefused] = useState<Map<string, string>>(new Map())
  const scans = useScanQueue(handle)
  // A double click comes before the next render.
  const booking = useRef(false)

  /** Returns the changed list; null, with a message, if the browser cannot store it: then it stays as it is. */
  function change(edit: (list: ScanList) => ScanList): ScanList | null {
    const next = edit(store.read())
    try {
      store.write(storageNames[kind], next === state.emptyList ? null : JSON.stringify(next))
      return next
    } catch {
      say('bad', notStored)
      return null
    }
  }

  function sayLine(changed: ScanList | null, id = changed?.lines[0]?.variantId): void {
    const line = changed?.lines.find(({ variantId }) => variantId === id)
    if (!line) return
    const { note } = changed ?? {}
    const { quantity, name, noted } = line
    if (!note) say('good', `${quantity} × ${name}`)
    else if (noted === undefined) say('bad', `Not on the delivery note: ${quantity} × ${name}`)
    else say(quantity > noted ? 'bad' : 'good', `${quantity} of ${noted}: ${name}`)
  }

  /** Adds a piece of the item with this code. If no item has it, a number sets the pieces of `target`. */
  async function lookUp(code: string, target: ScannedLine | UnknownCode | undefined): Promise<void> {
    const { variants } = await call('scan', { query: { code } })
    const [variant, ...others] = variants
    const quantity = state.readQuantity(code)
    if (!variant && quantity !== null && target) return setPieces(target, quantity)
    if (variant && others.length === 0) {
      sayLine(change((now) => state.addOnly(now, code, variant)))
      return
    }
    if (!change((now) => state.addUnknown(now, code, variants))) return
    say('bad', variant ? `Several items have the code ${code}.` : `Unknown code: ${code}`)
  }

  function setPieces(target: ScannedLine | UnknownCode, quantity: number): void {
    setRefused(new Map())
    if ('variantId' in target) {
      const { variantId } = target
      sayLine(
        change((current) => state.setPieces(current, variantId, quantity)),
        variantId,
      )
    } else if (change((current) => state.setUnknownPieces(current, target.code, quantity)))
      say('bad', `${quantity} × ${target.code}: find its product.`)
  }

  async function handle(code: string): Promise<void> {
    setBooked(null)
    const now = store.read()
    if (now.bookingKey !== null) return say('bad', unanswered)
    const quantity = state.readQuantity(code)
    const line = state.findOnly(now, code)
    const target = state.findTarget(now, code)
    if (code === '') say('info', 'Scan an item.')
    else if (line) sayLine(change((current) => state.repeat(current, line)))
    else if (target && quantity !== null && quantity <= state.maxTypedPieces) setPieces(target, quantity)
    else {
      try {
        await lookUp(code, target)
      } catch (error) {
        // The piece is not lost: it can be looked up later.
        if (!change((current) => state.addUnknown(current, code, []))) return
        say('bad', `${code}: ${readMessage(error)}`)
      }
    }
  }

  async function send(): Promise<void> {
    if (booking.current) return
    booking.current = true
    setBooking(true)
    // A scan that waits for its answer may still change the list.
    await scans.settled()
    setRefused(new Map())
    // Stored first: after a reload the same request is sent again, which is booked once.
    const sent = change((now) => ({ ...now, bookingKey: now.bookingKey ?? crypto.randomUUID() }))
    try {
      if (!sent) return
      const headers = { 'idempotency-key': sent.bookingKey ?? '' }
      const receipt = await call('bookReceipt', { headers, body: state.toReceipt(sent, kind) })
      change(({ unknown }) => (unknown.length > 0 ? { ...state.emptyList, unknown } : state.emptyList))
      setBooked(receipt)
      say('good', 'Booked.')
      void client.invalidateQueries()
    } catch (error) {
      const isRefused = isClientError(error) && !uninformative.includes((error as ApiError).status)
      if (isRefused) change((now) => ({ ...now, bookingKey: null }))
      setRefused(readRefused(error))
      say('bad', readMessage(error))
    } finally {
      booking.current = false
      setBooking(false)
    }
  }

  return {
    list,
    message,
    booked,
    refused,
    ...scans,
    isBooking,
    send,
    /** Changes the list, unless a booking has no answer. */
    edit(edit: (list: ScanList) => ScanList) {
      if (store.read().bookingKey !== null) return say('bad', unanswered)
      setRefused(new Map())
      change(edit)
    },
    /** Adds the pieces of an unknown code to an item. */
    resolve(code: string, variant: ScannedVariant) {
      if (store.read().bookingKey !== null) return say('bad', unanswered)
      sayLine(change((now) => state.resolveUnknown(now, code, variant)))
    },
  }
}

/** Returns the reason by the id of each item that a booking was refused for. */
function readRefused(error: unknown): Map<string, string> {
  if (!(error instanceof ApiError) || !Array.isArray(error.details.lines)) return new Map()
  const lines = error.details.lines as { variantId: string; stock?: number }[]
  return new Map(
    lines.map(({ variantId, stock }) => [
      variantId,
      stock === undefined
        ? 'This item was removed.'
        : `Only ${stock} in stock: more are ordered than are there.`,
    ]),
  )
}
