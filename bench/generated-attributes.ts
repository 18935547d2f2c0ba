import type { Kysely } from 'kysely'
import type { Attribute, AttributeValues } from '../contract/attributes.ts'
import type { Database } from '../db/schema.ts'
import { kindAttributes } from '../seed/attributes.ts'
import { saveAttributes } from '../server/modules/catalog/attributes/service.ts'
import type { Random } from '../tests/hardening/random.ts'

const definitions: Record<string, Attribute[]> = kindAttributes
export const kindsWithAttributes = Object.keys(definitions)

const [numbers, step] = [40, 10]
const pickNumber = (random: Random) => step * (1 + random.below(numbers))

/** Defines the attributes of the demo shop. */
export async function addAttributes(db: Kysely<Database>): Promise<void> {
  for (const [kind, attributes] of Object.entries(definitions))
    await saveAttributes(db, kind, { attributes }, null)
}

/** Returns values for all attributes of a kind. */
export const pickAttributes = (random: Random, kind: string): AttributeValues =>
  Object.fromEntries(
    (definitions[kind] ?? []).map(({ name, choices }) => [
      name,
      choices ? random.pick(choices) : pickNumber(random),
    ]),
  )

/** Returns a value or a range for one attribute of a kind, as in the URL of a list. */
export function pickAttributeChoice(random: Random, kind: string): string {
  const { name, choices } = random.pick(definitions[kind] ?? [])
  if (choices) return `${name}:${random.pick(choices)}`
  const from = pickNumber(random)
  return random.chance(0.5) ? `${name}:${from}` : `${name}:${from}..${from + 5 * step}`
}
