import { describe, expect, test } from 'vitest'
import type { PriceChange } from '../../../../../contract/product-changes.ts'
import { changePrice, changePrices, describeChange } from './rules.ts'

const toCents = (dollars: string) => Number(dollars.replace('.', ''))

describe('a new price', () => {
  // Computed by hand.
  const golden: [price: string, change: PriceChange, changed: string][] = [
    ['49.90', { percent: -10 }, '44.91'],
    ['49.90', { percent: -10, ending: 99 }, '44.99'],
    ['49.90', { percent: -10, ending: 0 }, '45.00'],
    ['49.90', { percent: -10, ending: 95 }, '44.95'],
    ['49.90', { percent: -10, ending: 90 }, '44.90'],
    ['0.30', { percent: -10, ending: 99 }, '0.99'],
    ['0.30', { percent: -10, ending: 0 }, '1.00'],
    ['0.05', { percent: 10 }, '0.06'],
    ['0.05', { percent: -10 }, '0.05'],
    ['1.05', { percent: 7.5 }, '1.13'],
    ['19.99', { percent: 19 }, '23.79'],
    ['33.33', { percent: 0.01 }, '33.33'],
    ['50.00', { percent: 0.01 }, '50.01'],
    ['10.50', { percent: 0, ending: 0 }, '11.00'],
    ['10.49', { percent: 0, ending: 0 }, '10.00'],
    ['10.49', { percent: 0, ending: 99 }, '10.99'],
    ['10.48', { percent: 0, ending: 99 }, '9.99'],
    ['999999.00', { percent: 900 }, '9999990.00'],
    ['49.90', { amount: -2.5 }, '47.40'],
    ['2.50', { amount: -2.5 }, '000'],
    ['19.99', { amount: 0.01 }, '20.00'],
  ]
  test.each(golden)('%s with %o is %s', (price, change, changed) => {
    expect(changePrice(toCents(price), change)).toBe(toCents(changed))
  })

  test('is rounded up from half a cent, and to the nearest ending, up if two are equally near', () => {
    for (let cents = 1; cents < 3_000; cents += 7) {
      for (const percent of [-90, -33.33, -10, 0, 2.25, 19, 900]) {
        const [factor, divisor] = [BigInt(10_000 + Math.round(percent * 100)), 10_000n]
        const product = BigInt(cents) * factor
        const exact = product / divisor + (2n * (product % divisor) >= divisor ? 1n : 0n)
        expect(changePrice(cents, { percent })).toBe(Number(exact))
        for (const ending of [0, 90, 95, 99] as const) {
          const rounded = changePrice(cents, { percent, ending })
          const endings = Array.from({ length: 400 }, (_, dollars) => dollars * 100 + ending).filter(Boolean)
          const distance = (each: number) => Math.abs(each - Number(exact))
          const nearest = Math.min(...endings.map(distance))
          expect(endings.filter((each) => distance(each) === nearest).at(-1)).toBe(rounded)
        }
      }
    }
  })
})

describe('the prices of variants', () => {
  test('each changes by itself, and the lowest one becomes the price of the product', () => {
    const prices = {
      price_cents: 20_000,
      variants: [
        { id: 'm', price_cents: null },
        { id: 'xl', price_cents: 21_950 },
      ],
    }
    expect(changePrices(prices, { percent: -10, ending: 99 })).toEqual({
      price_cents: 17_999,
      variants: [
        { id: 'm', price_cents: null },
        { id: 'xl', price_cents: 19_799 },
      ],
    })
    // Both become $1.00.
    expect(changePrices({ ...prices, price_cents: 90 }, { percent: -90, ending: 0 }).variants[1]).toEqual({
      id: 'xl',
      price_cents: 2_200,
    })
  })
})

test.each([
  [{ price: { percent: -10, ending: 99 } }, 'Price −10 %, ending in .99'],
  [{ price: { percent: 2.5, ending: 0 } }, 'Price +2.5 %, ending in .00'],
  [{ price: { amount: -2.5 } }, 'Price −$2.50'],
  [{ hidden: true }, 'Hide'],
  [{ brand: 'Grauwerk' }, 'Brand Grauwerk'],
  [{ supplier: '' }, 'Supplier removed'],
  [{ deleted: false }, 'Restore'],
] as const)('%o is described as %s', (change, text) => {
  expect(describeChange(change)).toBe(text)
})
