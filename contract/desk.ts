import * as z from 'zod/mini'
import { Address, SavedAddress } from './addresses.ts'
import { Bike } from './bikes.ts'
import { anyEmail, line } from './fields.ts'
import { StaffNote } from './notes.ts'
import { orderStatuses } from './order-status.ts'
import { staffRoles } from './permissions.ts'

/** The input with which an admin searches orders and customers. */
export const SearchQuery = z.object({
  q: line(100).check(z.minLength(2, 'Enter at least 2 characters')),
})

/** An order in a list of the desk, cancelled ones too. `amount` in dollars; `date` in ISO 8601. */
export const FoundOrder = z.object({
  id: z.string(),
  number: z.string(),
  status: z.enum(orderStatuses),
  /** Missing on imported orders that never had one. */
  date: z.optional(z.string()),
  /** Its first product, such as `Brake pads and 2 more`. */
  product: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  /** Missing if only the whole address is known. */
  city: z.optional(z.string()),
  amount: z.number(),
})
export type FoundOrder = z.infer<typeof FoundOrder>

/**
 * `orders`: the number of all orders, including cancelled ones. `unverified`: a stranger may have signed up with the email, so
 * name and phone are blank.
 */
export const FoundCustomer = z.object({
  email: z.string(),
  name: z.string(),
  phone: z.string(),
  orders: z.int(),
  unverified: z.optional(z.boolean()),
})
export type FoundCustomer = z.infer<typeof FoundCustomer>

/** The newest 20 orders and 10 customers. */
export const SearchResults = z.object({
  orders: z.array(FoundOrder),
  /** Whether the search finds more orders. */
  moreOrders: z.boolean(),
  customers: z.array(FoundCustomer),
  moreCustomers: z.boolean(),
  /** Earlier orders are still being indexed, so the search misses some. */
  indexing: z.optional(z.boolean()),
})
export type SearchResults = z.infer<typeof SearchResults>

export const CustomerEmail = z.object({ email: anyEmail })

/** The newest 20 orders of a person, and the number of all of them by status. */
export const CustomerOrders = z.object({
  orders: z.array(FoundOrder),
  counts: z.partialRecord(z.enum(orderStatuses), z.int()),
})
export type CustomerOrders = z.infer<typeof CustomerOrders>

/** A person by email, with or without an account. */
export const DeskCustomer = z.object({
  email: z.string(),
  /** From the account, if its email is verified, or else from the newest order. */
  name: z.string(),
  phone: z.string(),
  /** Missing for a guest. `since` in ISO 8601. `unverified`: a stranger may have signed up with the email. */
  account: z.optional(
    z.object({
      since: z.string(),
      role: z.optional(z.enum(staffRoles)),
      unverified: z.optional(z.boolean()),
    }),
  ),
  ...CustomerOrders.shape,
  /** The saved addresses and the addresses of the newest orders, each as one line. */
  addresses: z.array(z.string()),
  /** The saved addresses of the account, if its email is verified. */
  saved: z.array(SavedAddress),
  /** Where the last order was sent, if the parts of the address are known. */
  last: z.optional(Address),
  /** The garage of the account. */
  bikes: z.array(Bike),
  /** Newest first. */
  notes: z.array(StaffNote),
})
export type DeskCustomer = z.infer<typeof DeskCustomer>
