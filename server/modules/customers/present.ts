import type { User } from '../../../contract/customers.ts'
import type { Customer } from './repository.ts'

/** Converts a customer to the wire format of the specification. */
export function presentUser(customer: Customer): User {
  return {
    _id: customer.id,
    name: customer.name,
    email: customer.email,
    phone: customer.phone,
    birthday: customer.birthday ?? '',
    sex: customer.sex ?? '',
    bio: customer.bio,
    photo: customer.photo,
    role: customer.role ?? undefined,
  }
}
