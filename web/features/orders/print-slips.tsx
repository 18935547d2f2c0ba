import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { PackingSlips, SlipRequest } from '../../../contract/packing.ts'
import { ApiError, call, readMessage } from '../../api.ts'
import { sendOnce } from './attempt.ts'
import { refreshRow, useRefreshOrders } from './queries.ts'

interface SlipPrinterOptions {
  /** Called before the browser asks for the printer. */
  onTaken?: (taken: PackingSlips) => void
}

/** Takes the next slips. After a lost response, the next attempt takes the same ones, even with another number. */
const takeNext = (body: SlipRequest): Promise<PackingSlips> =>
  sendOnce('packing-slips', { customerId: null, body: {}, form: null }, (key) =>
    call('takePackingSlips', { headers: { 'idempotency-key': key }, body }),
  )

interface TakenSlips extends PackingSlips {
  leftOut: string[]
}

/** `at`: when they were read, in milliseconds. */
interface PrintedSlips extends PackingSlips {
  at: number
}

/** Takes the slips of the named orders that are not cancelled. Throws if all of them are. */
async function takeNamed(ids: string[]): Promise<TakenSlips> {
  try {
    return { ...(await call('takePackingSlips', { headers: {}, body: { ids } })), leftOut: [] }
  } catch (error) {
    const cancelled = listCancelled(error)
    const others = ids.filter((id) => !cancelled.includes(id))
    if (others.length === 0 || others.length === ids.length) throw error
    const taken = await takeNamed(others)
    return { ...taken, leftOut: [...cancelled, ...taken.leftOut] }
  }
}

/** The cancelled orders because of which the shop has returned no slips. */
function listCancelled(error: unknown): string[] {
  const isCancelled =
    error instanceof ApiError && (error.code === 'ORDER_NOT_FOUND' || error.code === 'ORDER_REFUNDED')
  return isCancelled && Array.isArray(error.details.ids) ? (error.details.ids as string[]) : []
}

/** Takes packing slips and prints them. The caller renders what is `printed` in `Printed`. */
export function useSlipPrinter({ onTaken }: SlipPrinterOptions = {}) {
  const [printed, setPrinted] = useState<PrintedSlips | null>(null)
  const client = useQueryClient()
  const refresh = useRefreshOrders()
  const take = useMutation({
    mutationFn: async ({ ids, ...body }: SlipRequest): Promise<TakenSlips> =>
      ids ? takeNamed(ids) : { ...(await takeNext(body)), leftOut: [] },
    onSuccess: (taken) => {
      flushSync(() => setPrinted({ ...taken, at: Date.now() }))
      onTaken?.(taken)
      if (taken.slips.length > 0) window.print()
    },
    onSettled: (_taken, _error, { ids }) => {
      void refresh()
      // The row of a work list shows that its slip is printed.
      if (ids?.[0] && ids.length === 1) void refreshRow(client, ids[0])
    },
  })
  return {
    print: take.mutate,
    isBusy: take.isPending,
    /** Ids of the named orders without a slip, because they are cancelled. */
    leftOut: take.data?.leftOut ?? listCancelled(take.error),
    failure: take.isError ? readMessage(take.error) : '',
    printed,
  }
}
