import { useCallback, useEffect, useState } from 'react'
import type { Address, SavedAddress } from '../../../contract/addresses.ts'
import { call, readMessage } from '../../api.ts'
import type { DeliveryValues } from './delivery-schema.ts'

interface SavedState {
  /** Null until they are loaded. */
  saved: SavedAddress[] | null
  /** The address of the last paid order, if none is saved. */
  last?: Address | undefined
  /** Message of the last failure, or an empty text. */
  failure: string
}

/** The addresses of a customer without a query cache, which checkout does not load. A guest has none. */
export function useSaved(isCustomer: boolean) {
  const [state, setState] = useState<SavedState>({ saved: isCustomer ? null : [], failure: '' })
  const reload = useCallback(() => {
    if (!isCustomer) return
    loadAddresses().then(
      (loaded) => setState({ ...loaded, failure: '' }),
      (error: unknown) => setState({ saved: null, failure: readMessage(error) }),
    )
  }, [isCustomer])
  useEffect(reload, [reload])
  return { ...state, reload }
}

async function loadAddresses() {
  const saved = await call('listAddresses', {})
  if (saved.length > 0) return { saved }
  // A process of the previous version does not have the call.
  const { address } = await call('getLastAddress', {}).catch(() => ({ address: undefined }))
  return { saved, last: address }
}

/** Saves the address of an order if it is another one and the customer wants it. Returns false if it fails. */
export async function addAddress({ saveAddress, savedId, address }: DeliveryValues): Promise<boolean> {
  if (!saveAddress || savedId) return true
  return call('addAddress', { body: address }).then(
    () => true,
    () => false,
  )
}
