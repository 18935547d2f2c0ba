import { createHash } from 'node:crypto'
import { type Drawing, kinds } from './kinds.ts'
import { ownGtin, partNumber } from './numbers.ts'
import { families, type Line, motorcycles, series } from './product-names.ts'

/** One product of the large catalog; `price` in whole dollars. */
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
 * The product with this number, from 1: always the same one, and no other has its id, part number or GTIN. About one
 * in nine is out of stock.
 */
export function catalogProduct(number: number): CatalogProduct {
  const draw = drawing(number)
  const { family, brand } = draw.oneOf(makers)
  const line = draw.oneOf(family.lines)
  const { drawing: shown, minimum, description } = line
  return {
    id: createHash('md5').update(`catalogue:${number}`).digest('hex').slice(0, 24),
    ...describe(line, brand, draw),
    description,
    drawing: shown,
    tint: draw.oneOf(tints),
    brand,
    kind: kinds[shown],
    sku: partNumber(brand, number),
    gtin: ownGtin(number),
    category: family.category,
    supplier: draw.oneOf(family.suppliers),
    minimum,
    stock: draw.upTo(9) === 0 ? draw.upTo(minimum) : minimum + draw.upTo(80),
  }
}

/** Its name, and a price that the dearer series ask more of. */
function describe({ nouns, variants, price: [min, max], fits }: Line, brand: string, draw: Draw) {
  const grade = draw.upTo(series.length)
  const motorcycle = fits ? `, for ${draw.oneOf(motorcycles)}` : ''
  const name = `${brand} ${series[grade]} ${draw.oneOf(nouns)}, ${draw.oneOf(variants)}${motorcycle}`
  // Most parts are cheap: the square of what is drawn.
  const part = ((draw.upTo(1000) / 1000) ** 2 + grade / series.length) / 2
  return { name, price: Math.max(1, Math.round(min + part * (max - min))) }
}

type Draw = ReturnType<typeof drawing>

/** Draws numbers that depend on nothing but where they begin (mulberry32). */
function drawing(start: number) {
  let state = Math.imul(start, 0x9e3779b1)
  const upTo = (end: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }
  return {
    /** A whole number from 0, below `end`. */
    upTo,
    oneOf: <Item>(items: readonly Item[]): Item => items[upTo(items.length)] as Item,
  }
}
