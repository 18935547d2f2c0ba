import * as z from 'zod/mini'
import { Address, type SavedAddress } from '../../../contract/addresses.ts'
import { email, lines } from '../../../contract/fields.ts'
import { readFromTab, removeFromTab, storeInTab } from '../../tab-storage.ts'

/** Form values of a delivery. A guest has to enter an email; a customer's comes from the account. */
export const deliverySchema = (isGuest: boolean) =>
  z.object({
    email: isGuest ? email : z.optional(z.string()),
    /** The saved address that was chosen; empty for another one. */
    savedId: z.string(),
    address: Address,
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

/** Returns the initial values: the default address, or the name and phone of the customer. */
export function initialDelivery(
  saved: SavedAddress[],
  { name = '', phone = '' }: { name?: string; phone?: string } = {},
): DeliveryValues {
  const known = saved.find(({ isDefault }) => isDefault)
  const address = known ? toParts(known) : { ...blankAddress, name, phone }
  return { email: '', savedId: known?.id ?? '', address, note: '', saveAddress: false }
}

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
}: SavedAddress): Address => ({
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
export function readDraft(customerId: string | null, saved: SavedAddress[]): DeliveryValues | null {
  const { data } = Draft.safeParse(readFromTab(draftName))
  if (data?.customerId !== customerId) return null
  const values = data.values as unknown as DeliveryValues
  const known = saved.find(({ id }) => id === values.savedId)
  return known ? { ...values, address: toParts(known) } : { ...values, savedId: '' }
}
