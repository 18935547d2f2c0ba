import type { Kysely } from 'kysely'
import { formatAddress } from '../../../contract/address-rules.ts'
import type { SavedAddress } from '../../../contract/addresses.ts'
import type { Bike } from '../../../contract/bikes.ts'
import type { CustomerOrders, DeskCustomer, FoundOrder } from '../../../contract/desk.ts'
import type { StaffNote } from '../../../contract/notes.ts'
import type { StaffRole } from '../../../contract/permissions.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { ShopError } from '../../platform/errors.ts'

/** The reads of other modules, which do not know this one. */
interface DeskReads {
  searchOrders: (
    db: Kysely<Database>,
    q: string,
  ) => Promise<{ orders: FoundOrder[]; more: boolean; isIndexing: boolean }>
  searchCustomers: (
    db: Kysely<Database>,
    q: string,
    limit: number,
  ) => Promise<{ email: string; name: string; phone: string; isVerified: boolean }[]>
  /** Counts the orders of people by email. Without an entry: none. */
  countOrdersByEmail: (db: Kysely<Database>, emails: string[]) => Promise<Map<string, number>>
  findAccount: (db: Kysely<Database>, email: string) => Promise<Account | undefined>
  readOrdersOf: (
    db: Kysely<Database>,
    email: string,
  ) => Promise<CustomerOrders & Pick<DeskCustomer, 'addresses' | 'last'>>
  listAddresses: (db: Kysely<Database>, customerId: string) => Promise<SavedAddress[]>
  listBikes: (db: Kysely<Database>, customerId: string) => Promise<Bike[]>
  listNotes: (db: Kysely<Database>, subject: { email: string }) => Promise<StaffNote[]>
}

interface Account {
  id: string
  name: string
  phone: string
  isVerified: boolean
  role: StaffRole | null
  created_at: Date
}

const maxCustomers = 10

/** Registers the calls of the desk, where staff works with orders and customers together. */
export function registerDesk(calls: Calls, reads: DeskReads): void {
  calls.handle('search', async ({ query: { q }, caller, db }) => {
    const [{ orders, more, isIndexing }, found] = await Promise.all([
      reads.searchOrders(db, q),
      caller.permissions.has('customers') ? reads.searchCustomers(db, q, maxCustomers + 1) : [],
    ])
    const customers = found.slice(0, maxCustomers)
    const counts = await reads.countOrdersByEmail(
      db,
      customers.map(({ email }) => email),
    )
    return {
      orders,
      moreOrders: more,
      customers: customers.map(({ email, name, phone, isVerified }) => ({
        email,
        name: isVerified ? name : '',
        phone: isVerified ? phone : '',
        orders: counts.get(email) ?? 0,
        unverified: !isVerified || undefined,
      })),
      moreCustomers: found.length > maxCustomers,
      indexing: isIndexing || undefined,
    }
  })

  calls.handle('getCustomer', async ({ params: { email }, db }) => {
    const [account, { orders, counts, addresses, last }] = await Promise.all([
      reads.findAccount(db, email),
      reads.readOrdersOf(db, email),
    ])
    const [newest] = orders
    if (!account && !newest) throw new ShopError('USER_NOT_FOUND')
    // A stranger can sign up with a caller's email, and save an address for the goods to be sent to.
    const verified = account?.isVerified ? account : undefined
    const [saved, bikes, notes] = await Promise.all([
      verified ? reads.listAddresses(db, verified.id) : [],
      account ? reads.listBikes(db, account.id) : [],
      reads.listNotes(db, { email }),
    ])
    return {
      email,
      name: verified?.name || newest?.name || '',
      phone: verified?.phone || newest?.phone || '',
      account: account && {
        since: account.created_at.toISOString(),
        role: account.role ?? undefined,
        unverified: !verified || undefined,
      },
      orders,
      counts,
      addresses: [...new Set([...saved.map(formatAddress), ...addresses])],
      saved,
      last,
      bikes,
      notes,
    }
  })
}
