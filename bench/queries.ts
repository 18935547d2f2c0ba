import { randomFor } from '../tests/hardening/random.ts'
import { kindsWithAttributes, pickAttributeChoice } from './generated-attributes.ts'
import { makes, pickBike } from './generated-fitments.ts'

const words = [
  'brake',
  'pads',
  'chain',
  'oil filter',
  'glove',
  'helmet',
  'lever',
  'mirror',
  'battery',
  'tyre',
]
const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** Returns N different product list queries, some with typing errors, deterministic by seed. */
export function productQueries(count: number, seed: number, kinds: string[], brands: string[]): string[] {
  const random = randomFor(seed, 0)
  const queries = new Set<string>()
  while (queries.size < count) {
    const query = new URLSearchParams()
    if (random.chance(0.6)) query.set('q', addTypo(random.pick(words), random.chance(0.25) ? random : null))
    if (random.chance(0.3)) query.set('kind', random.pick(kinds))
    if (random.chance(0.4)) query.set('brand', random.pick(brands))
    // A filtered list may have a single page, and a page after the last is a 404.
    if (query.size === 0) query.set('page', String(1 + random.below(300)))
    if (random.chance(0.2)) query.set('inStock', 'true')
    if (random.chance(0.4)) query.set('sort', random.pick(['price', '-price', 'name']))
    query.set('pageSize', '24')
    queries.add(query.toString())
  }
  return [...queries]
}

/**
 * Returns N different queries of lists for a bike, deterministic by seed. A bike that more parts fit is requested
 * more often.
 */
export function bikeQueries(count: number, seed: number, kinds: string[], bikes: number[]): string[] {
  const random = randomFor(seed, 0)
  const queries = new Set<string>()
  while (queries.size < count) {
    const query = new URLSearchParams({ bike: String(pickBike(random, bikes)) })
    if (random.chance(0.2)) query.set('q', random.pick(words))
    if (random.chance(0.3)) query.set('kind', random.pick(kinds))
    if (random.chance(0.1)) query.set('fit', random.pick(['some', 'universal']))
    if (random.chance(0.2)) query.set('inStock', 'true')
    if (random.chance(0.3)) query.set('sort', random.pick(['price', '-price', 'name']))
    query.set('pageSize', '24')
    queries.add(query.toString())
  }
  return [...queries]
}

const synonyms = [
  'brakepads',
  'turn signal',
  'muffler',
  'headlight',
  'rotor',
  'motor oil',
  'motor oil 10w40',
  'bremsscheibe',
  'ölfilter',
  'gauntlets',
  'lid',
  'saddlebag',
]
const sizes = ['xl', 'size L', 'medium', '3xl']

/**
 * Returns N different queries that riders ask and that need more than the words of a product, deterministic by seed: synonyms,
 * makes, sizes, words that no product has, and attributes.
 */
export function riderQueries(count: number, seed: number, brands: string[]): string[] {
  const random = randomFor(seed, 0)
  const queries = new Set<string>()
  while (queries.size < count) {
    const query = new URLSearchParams()
    if (random.chance(0.3)) {
      const kind = random.pick(kindsWithAttributes)
      query.set('kind', kind)
      query.append('attribute', pickAttributeChoice(random, kind))
    } else {
      const more = random.pick([
        () => `make ${1 + random.below(makes)}`,
        () => random.pick(sizes),
        () => `${addTypo('qzjxk', random)}${random.below(100)}`,
        () => '',
      ])
      query.set('q', `${more()} ${random.pick([...synonyms, ...words])}`.trim())
    }
    if (random.chance(0.4)) query.set('brand', random.pick(brands))
    if (random.chance(0.2)) query.set('inStock', 'true')
    if (random.chance(0.4)) query.set('sort', random.pick(['price', '-price', 'name']))
    query.set('pageSize', '24')
    queries.add(query.toString())
  }
  return [...queries]
}

function addTypo(word: string, random: ReturnType<typeof randomFor> | null): string {
  if (!random || word.length < 5) return word
  const index = 1 + random.below(word.length - 1)
  return word.slice(0, index) + alphabet[random.below(alphabet.length)] + word.slice(index + 1)
}
