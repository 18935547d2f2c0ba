import { createHash } from 'node:crypto'
import { type Drawing, kinds } from './kinds.ts'
import { ownGtin, partNumber } from './numbers.ts'
import { families, type Line, motorcycles, series } from './product-names.ts'
import { openRandom, type Random } from './random.ts'

/** A product of the generated catalog. `price` in whole dollars. */
export interface CatalogProduct {
  id: string
  name: string
  description: string
  drawing: Drawing
  tint: string
  brand: string
  kind: string
  category: 'Local' | 'Imported'
  supplier: string
  minimum: number
  /** The sum of its variants. */
  stock: number
  price: number
  options: 'none' | 'variants'
  /** One variant without a size, or three. */
  variants: { id: string; size: string | null; sku: string; gtin: string; stock: number }[]
}

const sizes = ['M', 'L', 'XL']
/** Greater than every product number. */
const gtinsOfSize = 10_000_000

const makers = families.flatMap((family) => family.brands.map((brand) => ({ family, brand })))
const tints = ['D9482B', 'C9962E', '3E6480', '85583A', '8EA3B6', 'F0B92B', 'E6D9BC', '4A7C59', '5B616B']

/**
 * Returns the product with this number, from 1. The same number returns the same product, and its ids, part numbers
 * and GTINs are unique. About one in nine is out of stock. Gear has three sizes.
 *
 * @param allHaveSizes parts have them too, to measure a catalog with many variants
 */
export function catalogProduct(number: number, allHaveSizes = false): CatalogProduct {
  const random = openRandom(Math.imul(number, 0x9e3779b1))
  const { family, brand } = random.pick(makers)
  const line = random.pick(family.lines)
  const { drawing, description } = line
  const hasSizes = allHaveSizes || line.isGear
  const minimum = hasSizes ? 1 : line.minimum
  const product = {
    id: toId(`${number}`),
    ...nameAndPrice(line, brand, random),
    description,
    drawing,
    tint: random.pick(tints),
    brand,
    kind: kinds[drawing],
    category: family.category,
    supplier: random.pick(family.suppliers),
    minimum,
    stock: random.below(9) === 0 ? random.below(minimum) : minimum + random.below(80),
  }
  const { stock } = product
  const sku = partNumber(brand, number)
  const only = { id: product.id, size: null, sku, gtin: ownGtin(number), stock }
  if (!hasSizes) return { ...product, options: 'none', variants: [only] }
  // The largest size is often sold out.
  const ofLargest = number % 4 === 0 ? 0 : Math.floor(stock / 4)
  const ofMiddle = Math.floor((stock - ofLargest) / 2)
  const stocks = [stock - ofMiddle - ofLargest, ofMiddle, ofLargest]
  const variants = sizes.map((size, index) => ({
    id: index === 0 ? product.id : toId(`${number}:${size}`),
    size,
    sku: `${sku}-${size}`,
    gtin: ownGtin(number + index * gtinsOfSize),
    stock: stocks[index] ?? 0,
  }))
  return { ...product, options: 'variants', variants }
}

const toId = (text: string) => createHash('md5').update(`catalogue:${text}`).digest('hex').slice(0, 24)

/** Returns a name and a price. Later series are more expensive. */
function nameAndPrice({ nouns, variants, price: [min, max], fits }: Line, brand: string, random: Random) {
  const grade = random.below(series.length)
  const motorcycle = fits ? `, for ${random.pick(motorcycles)}` : ''
  const name = `${brand} ${series[grade]} ${random.pick(nouns)}, ${random.pick(variants)}${motorcycle}`
  // Squared, so that most parts are cheap.
  const share = ((random.below(1000) / 1000) ** 2 + grade / series.length) / 2
  return { name, price: Math.max(1, Math.round(min + share * (max - min))) }
}
