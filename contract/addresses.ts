import * as z from 'zod/mini'
import { type AddressPart, countryCodes, findAddressProblems, type Served } from './address-rules.ts'
import { id, line, requiredLine } from './fields.ts'

/** A postal address. `country` is a code of ISO 3166-1 alpha-2. */
export const Address = z.object({
  name: requiredLine(120, 'Name is required'),
  phone: z.optional(line(40)),
  line1: requiredLine(120, 'Address is required'),
  line2: z.optional(line(120)),
  city: requiredLine(80, 'City is required'),
  region: z.optional(line(80)),
  postalCode: z.optional(line(20)),
  country: z.enum(countryCodes, 'Select a country'),
})
export type Address = z.infer<typeof Address>

/** With `isDefault` it replaces the customer's default address. The first address is always the default. */
export const NewAddress = z.extend(Address, {
  label: z.optional(line(40)),
  isDefault: z.optional(z.boolean()),
})
export type NewAddress = z.infer<typeof NewAddress>

export const SavedAddress = z.extend(NewAddress, { id: z.string(), isDefault: z.boolean() })
export type SavedAddress = z.infer<typeof SavedAddress>

export const LastAddress = z.object({ address: z.optional(Address) })

export const AddressId = z.object({ id })

/** A check of a form: the address has the parts that its country needs, and the shop serves the country. */
export const checkAddress = (served: Served) =>
  z.check<Pick<Address, AddressPart>>(({ value, issues }) => {
    for (const [part, message] of Object.entries(findAddressProblems(value, served)))
      issues.push({ code: 'custom', input: value, path: [part], message })
  })
