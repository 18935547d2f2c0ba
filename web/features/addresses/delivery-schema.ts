import * as z from 'zod/mini'
import type { Served } from '../../../contract/address-rules.ts'
import { Address, checkAddress } from '../../../contract/addresses.ts'
import { email, lines } from '../../../contract/fields.ts'

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
