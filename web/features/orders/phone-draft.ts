import { type CartLine, CartLines } from '../../../contract/cart.ts'
import { PhoneOrder } from '../../../contract/checkout.ts'
import { isObject, readFromTab, removeFromTab, storeInTab } from '../../tab-storage.ts'

/** The input of an order by phone, which a reload keeps. `Values`: the values of the delivery form. */
export interface PhoneDraft<Values> {
  /** The email of the customer that was found; empty for a new one. */
  email: string
  lines: CartLine[]
  /** Bikes that were picked for a line. */
  bikes: { id: number; name: string }[]
  payWithinDays: number
  /** Null until something is typed. */
  values: Values | null
}

const name = 'phone-draft'
export const phoneChoices = 'phone-charges'

/** Returns the input that this staff member has stored, or null. An earlier version of the shop may have stored it. */
export function readPhoneDraft<Values>(staffId: string): PhoneDraft<Values> | null {
  const stored = readFromTab(name)
  if (!isObject(stored) || stored.staffId !== staffId) return null
  const { draft } = stored
  if (!isObject(draft) || typeof draft.email !== 'string' || !Array.isArray(draft.bikes)) return null
  return CartLines.safeParse(draft).success ? (draft as unknown as PhoneDraft<Values>) : null
}

export const storePhoneDraft = (staffId: string, draft: PhoneDraft<unknown>): void =>
  storeInTab(name, { staffId, draft })

export const removePhoneDraft = (): void => removeFromTab(name)

/** Whether an order that got no answer can be sent again as it was. */
export const isPhoneOrder = (stored: unknown): stored is PhoneOrder => PhoneOrder.safeParse(stored).success
