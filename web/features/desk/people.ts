import type { SearchResults } from '../../../contract/desk.ts'

interface Person {
  email: string
  name: string
  phone: string
}

/** The customers that a search finds, and the buyers of the orders that it finds. Only these name an unverified account. */
export function listPeople({ customers, orders }: Pick<SearchResults, 'customers' | 'orders'>): Person[] {
  const people = new Map<string, Person>()
  for (const person of [...customers, ...orders])
    if (person.email && !people.get(person.email)?.name) people.set(person.email, person)
  return [...people.values()]
}
