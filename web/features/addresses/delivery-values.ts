import { findAddressProblems, type Served } from '../../../contract/address-rules.ts'
import type { Address, SavedAddress } from '../../../contract/addresses.ts'
import { isObject, readFromTab, removeFromTab, storeInTab } from '../../tab-storage.ts'
import type { DeliveryValues } from './delivery-schema.ts'

// A stored body is compared as JSON to find a repeated order, so the order of the parts must not change.
const parts = ['name', 'phone', 'line1', 'line2', 'city', 'region', 'postalCode', 'country'] as const

interface Buyer {
  name?: string
  phone?: string
  /** The address of the last paid order. */
  last?: Address | undefined
}

/** Returns the default address, else the address of the last paid order, else the customer's name and phone. */
export function initialDelivery(
  saved: SavedAddress[],
  served: Served,
  { name = '', phone = '', last }: Buyer = {},
): DeliveryValues {
  const known = saved.find(({ isDefault }) => isDefault)
  const [country = ''] = served?.length === 1 ? served : []
  const address = known ?? last ?? { name, phone, country }
  const savedId = known && canReceive(known, served) ? known.id : ''
  return { email: '', savedId, address: toParts(address), note: '', saveAddress: false }
}

/** Returns the name and phone that the purchase page has passed to checkout. */
export function readContact(state: unknown): Buyer {
  if (!isObject(state)) return {}
  const { name, phone } = state
  return {
    ...(typeof name === 'string' && name && { name }),
    ...(typeof phone === 'string' && phone && { phone }),
  }
}

/** Whether an order can be sent to an address: one that was saved earlier may miss a part. */
export const canReceive = (address: Address, served: Served): boolean =>
  Object.keys(findAddressProblems(address, served)).length === 0

/** Returns the parts of an address. Missing ones are blank, so that they clear the inputs of the former choice. */
export const toParts = (address: Partial<Address>): Address =>
  Object.fromEntries(parts.map((part) => [part, address[part] ?? ''])) as Address

const draftName = 'delivery'

/** Stores the input of a buyer who may leave the page. `customerId`: null for a guest. */
export const storeDraft = (customerId: string | null, values: DeliveryValues): void =>
  storeInTab(draftName, { customerId, values })

export const removeDraft = (): void => removeFromTab(draftName)

/** Returns the stored input of this buyer, or null. A chosen address has its present parts, if it still exists. */
export function readDraft(
  customerId: string | null,
  saved: SavedAddress[],
  served: Served,
): DeliveryValues | null {
  const draft = readFromTab(draftName)
  // The parts that the form needs.
  if (!isObject(draft) || draft.customerId !== customerId || !isObject(draft.values)) return null
  if (typeof draft.values.savedId !== 'string' || !isObject(draft.values.address)) return null
  const values = draft.values as unknown as DeliveryValues
  const known = saved.find(({ id }) => id === values.savedId)
  if (!known) return { ...values, savedId: '' }
  return { ...values, savedId: canReceive(known, served) ? known.id : '', address: toParts(known) }
}
