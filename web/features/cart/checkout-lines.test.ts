import { expect, test } from 'vitest'
import type { Cart, ShownLine } from './cart.ts'
import { markChanges } from './checkout-lines.tsx'

const toLine = (variantId: string, unitPrice: number, problem?: ShownLine['problem']): ShownLine => ({
  key: { variantId },
  variantId,
  productId: 'p',
  name: 'Pads',
  image: '',
  quantity: 1,
  unitPrice,
  total: unitPrice,
  left: 9,
  minimum: 1,
  fitKind: 'vehicle',
  problem,
})
const toCart = (...lines: ShownLine[]): Cart => ({
  lines,
  total: 0,
  chargesAtCheckout: false,
  hasCoupons: false,
  mergeFailure: '',
})
const mark = (line: ShownLine, seen: number) =>
  markChanges(toCart(line), toCart(toLine('pads', seen))).lines[0]?.problem

test('without a refused order, a cart keeps its notes', () => {
  const cart = toCart(toLine('pads', 42, { code: 'PRICE_CHANGED', was: 39 }))
  expect(markChanges(cart, undefined)).toEqual(cart)
})

test('after a refused order, a price is compared with the one that was refused', () => {
  const addedAt39 = { code: 'PRICE_CHANGED', was: 39 } as const
  expect(mark(toLine('pads', 45, addedAt39), 42)).toEqual({ code: 'PRICE_CHANGED', was: 42 })
  expect(mark(toLine('pads', 42, addedAt39), 42)).toBeUndefined()
  expect(mark(toLine('pads', 39), 42)).toEqual({ code: 'PRICE_CHANGED', was: 42 })
})

test('a line that cannot be ordered keeps its reason, and a new line has none', () => {
  const soldOut = { code: 'OUT_OF_STOCK', left: 0 } as const
  expect(mark(toLine('pads', 45, soldOut), 42)).toEqual(soldOut)
  expect(mark(toLine('chain', 45), 42)).toBeUndefined()
})
