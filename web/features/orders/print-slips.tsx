import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { PackingSlips, SlipRequest } from '../../../contract/packing.ts'
import { call, readMessage } from '../../api.ts'
import { sendOnce } from './attempt.ts'
import { refreshRow, useRefreshOrders } from './queries.ts'

/** `at`: when they were read, in milliseconds. */
interface PrintedSlips extends PackingSlips {
  at: number
}

interface SlipPrinterOptions {
  /** Called before the browser asks for the printer. */
  onTaken?: (taken: PackingSlips) => void
}

/** Takes the next slips. After a lost response, the next attempt takes the same ones, even with another number. */
const takeNext = (body: SlipRequest): Promise<PackingSlips> =>
  sendOnce('packing-slips', { customerId: null, body: {}, form: null }, (key) =>
    call('takePackingSlips', { headers: { 'idempotency-key': key }, body }),
  )

/** Takes packing slips and prints them. The caller renders what is `printed` in `Printed`. */
export function useSlipPrinter({ onTaken }: SlipPrinterOptions = {}) {
  const [printed, setPrinted] = useState<PrintedSlips | null>(null)
  const client = useQueryClient()
  const refresh = useRefreshOrders()
  const take = useMutation({
    mutationFn: (body: SlipRequest) =>
      body.next === undefined ? call('takePackingSlips', { headers: {}, body }) : takeNext(body),
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
    failure: take.isError ? readMessage(take.error) : '',
    printed,
    clear: () => setPrinted(null),
  }
}
