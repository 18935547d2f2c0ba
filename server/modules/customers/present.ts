import type { User } from '../../../contract/customers.ts'
import type { Customer } from './repository.ts'

/** A customer in the specification's words. */
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
