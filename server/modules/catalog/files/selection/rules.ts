import type { PriceChange, PriceEnding, ProductChange } from '../../../../../contract/product-changes.ts'

/** The prices that a product can have. */
export const [minPriceCents, maxPriceCents] = [1, 99_999_900]

/** Computes a new price with whole numbers only. It may be out of range. */
export function changePrice(cents: number, change: PriceChange): number {
  if ('amount' in change) return cents + Math.round(change.amount * 100)
  const factor = 10_000 + Math.round(change.percent * 100)
  const changed = Math.floor((2 * cents * factor + 10_000) / 20_000)
  return change.ending === undefined ? changed : roundToEnding(changed, change.ending)
}

/** Rounds to the nearest price with this ending, up if two are equally near. The lowest is the ending itself, or $1. */
function roundToEnding(cents: number, ending: PriceEnding): number {
  const nearest = 100 * Math.floor((cents - ending + 50) / 100) + ending
  return Math.max(nearest, ending || 100)
}

/** The prices of a product, and the own ones of its variants; null: the product's. */
export interface Prices {
  price_cents: number
  variants: { id: string; price_cents: number | null }[]
}

/** Changes the price of each variant. The product has the lowest one. */
export function changePrices({ price_cents, variants }: Prices, change: PriceChange): Prices {
  if (variants.length === 0) return { price_cents: changePrice(price_cents, change), variants }
  const changed = variants.map((variant) => ({
    id: variant.id,
    cents: changePrice(variant.price_cents ?? price_cents, change),
  }))
  const lowest = Math.min(...changed.map(({ cents }) => cents))
  return {
    price_cents: lowest,
    variants: changed.map(({ id, cents }) => ({ id, price_cents: cents === lowest ? null : cents })),
  }
}

/** Describes a change, such as `Price −10 %, ending in .99`. */
export function describeChange(change: ProductChange): string {
  if ('price' in change) return `Price ${describePrice(change.price)}`
  if ('hidden' in change) return change.hidden ? 'Hide' : 'Show'
  if ('deleted' in change) return change.deleted ? 'Delete' : 'Restore'
  const [[name, value] = ['', '']] = Object.entries<string>(change)
  const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return value === '' ? `${label} removed` : `${label} ${value}`
}

function describePrice(change: PriceChange): string {
  const sign = (value: number) => (value < 0 ? '−' : '+')
  if ('amount' in change) return `${sign(change.amount)}$${Math.abs(change.amount).toFixed(2)}`
  const percent = `${sign(change.percent)}${Math.abs(change.percent)} %`
  return change.ending === undefined
    ? percent
    : `${percent}, ending in .${String(change.ending).padStart(2, '0')}`
}
