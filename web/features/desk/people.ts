import type { SearchResults } from '../../../contract/desk.ts'

interface Person {
  email: string
  name: string
  phone: string
}

/**
 * Returns the customers and the buyers of orders that a search finds, each once. An unverified account has no name, so it gets
 * the name on its order.
 */
export function listPeople({ customers, orders }: Pick<SearchResults, 'customers' | 'orders'>): Person[] {
  const people = new Map<string, Person>()
  for (const person of [...customers, ...orders])
    if (person.email && !people.get(person.email)?.name) people.set(person.email, person)
  return [...people.values()]
}
