import { useRef, useState } from 'react'
import { nameItem } from '../../../contract/item-names.ts'
import { orderNumber } from '../../../contract/order-number.ts'
import { pluralize } from '../../../contract/plurals.ts'
import type { ScanResult } from '../../../contract/scan.ts'
import { type Shipment, Tracking } from '../../../contract/shipments.ts'
import { call, readMessage } from '../../api.ts'
import { useScanQueue } from '../../ui/scan-queue.ts'
import { useScanMessage } from '../../ui/scan-status.tsx'
import {
  countLeft,
  findLine,
  hasTicks,
  isComplete,
  isOwnSlip,
  isWholeLine,
  type LineToPack,
  listTicked,
  type Pack,
  refuseShipping,
  tick,
  toPack,
} from './pack-state.ts'
import { useRefreshOrders } from './queries.ts'

const start = 'Scan the bar code of a packing slip.'

/** The order that is being packed, and what scans do to it. */
export function usePacking() {
  const refreshOrders = useRefreshOrders()
  const [pack, setPack] = useState<Pack | null>(null)
  const [lastNumber, setLastNumber] = useState(0)
  const [shipped, setShipped] = useState<{ number: string; shipment: Shipment } | null>(null)
  const [message, say] = useScanMessage(start)
  const [carrier, setCarrier] = useState('')
  const scans = useScanQueue(handle)
  // The newest state, which a scan reads before the next render.
  const current = useRef<Pack | null>(null)
  const usedCarrier = useRef('')

  const show = (next: Pack | null) => {
    current.current = next
    setPack(next)
  }

  function tickLine(now: Pack, line: LineToPack): void {
    if (isWholeLine(line))
      return say('bad', `All ${line.openPieces} of ${nameItem(line)} are packed already.`)
    const next = tick(now, line.number)
    show(next)
    setLastNumber(line.number)
    const end = isComplete(next) ? '. All pieces are packed.' : ''
    say('good', `${line.ticked + 1} of ${line.openPieces}, ${nameItem(line)}${end}`)
  }

  async function open({ id, status }: ScanResult['orders'][number]): Promise<void> {
    const title = `Order #${orderNumber(id)}`
    const refusal = refusals[status]
    if (refusal) return say('bad', `${title} ${refusal}`)
    const { slips } = await call('takePackingSlips', { headers: {}, body: { order: id } })
    const opened = slips[0] && toPack(slips[0])
    if (!opened || opened.lines.length === 0) return say('bad', `${title} has nothing left to pack.`)
    show(opened)
    setLastNumber(0)
    if (opened.slip.withdrawn)
      return say('bad', `${title}: the customer withdraws from it. Ask an admin before you pack it.`)
    const left = countLeft(opened)
    say('good', `${title}: ${pluralize(left, 'piece')} to pack.`)
  }

  /** Handles a code that is not an item of the open order. */
  async function lookUp(now: Pack | null, code: string): Promise<void> {
    if (now && isOwnSlip(now, code)) {
      const left = countLeft(now)
      return say('bad', `${left} ${left === 1 ? 'piece is' : 'pieces are'} still missing.`)
    }
    const found = await call('scan', { query: { code } })
    const [order, ...others] = found.orders
    const [variant] = found.variants
    if (order && others.length > 0)
      say('bad', 'Several orders begin with this number. Scan the bar code of the slip.')
    else if (order && now && hasTicks(now))
      say('bad', `This is the slip of #${order.number}. Ship or leave #${orderNumber(now.slip._id)} first.`)
    else if (order) await open(order)
    else if (variant) {
      const name = nameItem(variant)
      say('bad', now ? `Not in this order: ${name}` : `${name} is an item. Scan a packing slip first.`)
    } else say('bad', `Unknown code: ${code}`)
  }

  /** Ships a complete order. The code is a tracking number, or empty. */
  async function finish(now: Pack, code: string): Promise<void> {
    if (code === '' || isOwnSlip(now, code)) return ship(now, [])
    if (findLine(now, code))
      return say(
        'bad',
        `All pieces of this item are packed. ${now.slip.pickup ? 'Press Enter when the order is ready.' : 'Scan a tracking number, or press Enter to ship.'}`,
      )
    const { orders: otherOrders, variants } = await call('scan', { query: { code } })
    if (otherOrders.length > 0 || variants.length > 0) return lookUp(now, code)
    if (now.slip.pickup) return say('bad', 'This order is collected. Press Enter when it is ready.')
    const { error } = Tracking.safeParse({ trackingNumbers: [code] })
    if (error) return say('bad', error.issues[0]?.message ?? 'This is not a tracking number.')
    return ship(now, [code])
  }

  async function ship(now: Pack, trackingNumbers: string[]): Promise<void> {
    const { _id: id } = now.slip
    const { slips } = await call('takePackingSlips', { headers: {}, body: { order: id } })
    const fresh = slips[0] && toPack(slips[0], listTicked(now))
    const refusal = refuseShipping(now, fresh)
    if (refusal) {
      show(fresh && fresh.lines.length > 0 ? fresh : null)
      return say('bad', refusal)
    }
    const lines = now.lines.map(({ number }) => number)
    const body = { lines, trackingNumbers, carrier: usedCarrier.current || undefined }
    const shipment = await call('shipOrder', { params: { id }, body })
    show(null)
    setShipped({ number: orderNumber(id), shipment })
    say(
      'good',
      `Order #${orderNumber(id)} ${now.slip.pickup ? 'is ready for pickup' : 'has shipped'}. Scan the next slip.`,
    )
    void refreshOrders()
  }

  async function handle(code: string): Promise<void> {
    const now = current.current
    try {
      if (now && isComplete(now)) return await finish(now, code)
      if (code === '') return say('info', now ? 'Scan an item of this order.' : start)
      const line = now && findLine(now, code)
      if (line) tickLine(now, line)
      else await lookUp(now, code)
    } catch (error) {
      say('bad', readMessage(error))
    }
  }

  return {
    pack,
    message,
    shipped,
    carrier,
    ...scans,
    /** The line of the last tick. */
    lastLine: pack?.lines.find(({ number }) => number === lastNumber),
    tickByHand(number: number) {
      const line = current.current?.lines.find((each) => each.number === number)
      if (current.current && line) tickLine(current.current, line)
    },
    leave() {
      show(null)
      say('info', start)
    },
    setCarrier(name: string) {
      usedCarrier.current = name
      setCarrier(name)
    },
    endUndo(number: string, isUndone: boolean) {
      setShipped(null)
      if (isUndone) say('info', `Order #${number} is to be shipped again.`)
    },
  }
}

export const refusals: Record<ScanResult['orders'][number]['status'], string> = {
  unpaid: 'is not paid yet. Do not ship.',
  paid: '',
  shipped: 'has already been shipped.',
  cancelled: 'was cancelled.',
  refunded: 'was cancelled.',
}
