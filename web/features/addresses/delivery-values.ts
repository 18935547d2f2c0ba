import * as z from 'zod/mini'
import {
  Address,
  checkAddress,
  findAddressProblems,
  type SavedAddress,
  type Served,
} from '../../../contract/addresses.ts'
import { email, lines } from '../../../contract/fields.ts'
import { readFromTab, removeFromTab, storeInTab } from '../../tab-storage.ts'

/**
 * Form values of a delivery. A guest has to enter an email; a customer's comes from the account.
 *
 * @param served undefined: the order was sent before, so its address is not checked again
 */
export const deliverySchema = (isGuest: boolean, served: Served | undefined) =>
  z.object({
    email: isGuest ? email : z.optional(z.string()),
    /** The saved address that was chosen; empty for another one. */
    savedId: z.string(),
    address: served === undefined ? Address : Address.check(checkAddress(served)),
    note: z.optional(lines(300)),
    saveAddress: z.optional(z.boolean()),
  })
export type DeliveryValues = z.infer<ReturnType<typeof deliverySchema>>

const blankAddress = {
  name: '',
  phone: '',
  line1: '',
  line2: '',
  city: '',
  region: '',
  postalCode: '',
  country: '',
}

interface Buyer {
  name?: string
  phone?: string
  /** The address of the last order. */
  last?: Address | undefined
}

/** Returns the initial values: the default address, else the address in the last order, else the customer's name and phone. */
export function initialDelivery(
  saved: SavedAddress[],
  served: Served,
  { name = '', phone = '', last }: Buyer = {},
): DeliveryValues {
  const known = saved.find(({ isDefault }) => isDefault)
  const [country = ''] = served?.length === 1 ? served : []
  const address = known ?? last ?? { ...blankAddress, name, phone, country }
  const savedId = known && canReceive(known, served) ? known.id : ''
  return { email: '', savedId, address: toParts(address), note: '', saveAddress: false }
}

/** Whether an order can be sent to an address: one that was saved earlier may miss a part. */
export const canReceive = (address: Address, served: Served): boolean =>
  Object.keys(findAddressProblems(address, served)).length === 0

/** Returns the parts of an address. Missing ones are blank, so that they clear the inputs of the former choice. */
export const toParts = ({
  name,
  phone,
  line1,
  line2,
  city,
  region,
  postalCode,
  country,
}: Address): Address => ({
  name,
  phone: phone ?? '',
  line1,
  line2: line2 ?? '',
  city,
  region: region ?? '',
  postalCode: postalCode ?? '',
  country,
})

const draftName = 'delivery'

/** The parts of stored values that the form needs. */
const Draft = z.object({
  customerId: z.nullable(z.string()),
  values: z.looseObject({ savedId: z.string(), address: z.looseObject({}) }),
})

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
  const { data } = Draft.safeParse(readFromTab(draftName))
  if (data?.customerId !== customerId) return null
  const values = data.values as unknown as DeliveryValues
  const known = saved.find(({ id }) => id === values.savedId)
  if (!known) return { ...values, savedId: '' }
  return { ...values, savedId: canReceive(known, served) ? known.id : '', address: toParts(known) }
}
