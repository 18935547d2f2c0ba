import { createHash } from 'node:crypto'
import { type Drawing, kinds } from './kinds.ts'
import { ownGtin, partNumber } from './numbers.ts'
import { families, type Line, motorcycles, series } from './product-names.ts'

/** A product of the generated catalog. `price` in whole dollars. */
export interface CatalogProduct {
  id: string
  name: string
  description: string
  drawing: Drawing
  tint: string
  brand: string
  kind: string
  sku: string
  gtin: string
  category: 'Local' | 'Imported'
  supplier: string
  minimum: number
  stock: number
  price: number
}

const makers = families.flatMap((family) => family.brands.map((brand) => ({ family, brand })))
const tints = ['D9482B', 'C9962E', '3E6480', '85583A', '8EA3B6', 'F0B92B', 'E6D9BC', '4A7C59', '5B616B']

/**
 * Returns the product with this number, from 1. The same number returns the same product, and its id, part number
 * and GTIN are unique. About one in nine is out of stock.
 */
export function catalogProduct(number: number): CatalogProduct {
  const random = createRandom(number)
  const { family, brand } = random.pick(makers)
  const line = random.pick(family.lines)
  const { drawing, minimum, description } = line
  return {
    id: createHash('md5').update(`catalogue:${number}`).digest('hex').slice(0, 24),
    ...nameAndPrice(line, brand, random),
    description,
    drawing,
    tint: random.pick(tints),
    brand,
    kind: kinds[drawing],
    sku: partNumber(brand, number),
    gtin: ownGtin(number),
    category: family.category,
    supplier: random.pick(family.suppliers),
    minimum,
    stock: random.below(9) === 0 ? random.below(minimum) : minimum + random.below(80),
  }
}

/** Returns a name and a price. Later series are more expensive. */
function nameAndPrice({ nouns, variants, price: [min, max], fits }: Line, brand: string, random: Random) {
  const grade = random.below(series.length)
  const motorcycle = fits ? `, for ${random.pick(motorcycles)}` : ''
  const name = `${brand} ${series[grade]} ${random.pick(nouns)}, ${random.pick(variants)}${motorcycle}`
  // Squared, so that most parts are cheap.
  const share = ((random.below(1000) / 1000) ** 2 + grade / series.length) / 2
  return { name, price: Math.max(1, Math.round(min + share * (max - min))) }
}

type Random = ReturnType<typeof createRandom>

/** Creates a random number generator (mulberry32) that is reproducible from its seed. */
function createRandom(seed: number) {
  let state = Math.imul(seed, 0x9e3779b1)
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }
  return {
    /** Returns an integer from 0 to `end - 1`. */
    below,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
  }
}
