import { expect, test } from 'vitest'
import type { ChosenProduct } from '../../../contract/choice.ts'
import { emptyPurchase, purchaseSchema, StoredPurchase, toOptions, toPurchase } from './place-order.ts'

const values = { quantity: 2, size: null, colour: null, customerAddress: '1 Road' }

const chosen: ChosenProduct = {
  values: { size: [], colour: [] },
  missing: [],
  variant: { id: 'p1', quantity: 5, price: 30 },
  product: {
    _id: 'p1',
    name: 'Chain',
    image: '',
    description: '',
    minimum: 2,
    quantity: 5,
    price: 30,
    options: 'standard' as const,
  },
}
const { product } = chosen
const user = {
  _id: 'u1',
  name: 'Robin',
  email: 'robin@example.com',
  phone: '',
  birthday: '',
  sex: '' as const,
  bio: '',
  photo: '',
}
const check = (changes: object) => purchaseSchema(product).safeParse({ ...values, ...changes })

test.each([2, 3, 5])('a quantity of %i, between minimum and stock, is valid', (quantity) => {
  expect(check({ quantity }).success).toBe(true)
})

test.each([1, 6, 0, -2, 2.5, Number.NaN])(
  'a quantity of %d is rejected: Quantity not matched',
  (quantity) => {
    expect(check({ quantity }).error?.issues[0]?.message).toBe('Quantity not matched')
  },
)

test('the address is required; size and colour are not', () => {
  expect(check({ customerAddress: ' ' }).error?.issues[0]?.message).toBe('Address is required')
  expect(check({}).success).toBe(true)
})

test('the amount is quantity times price; size and colour are not sent with it', () => {
  const purchase = toPurchase({ ...values, size: 'XL' }, chosen, user)
  expect(purchase).toMatchObject({
    productId: 'p1',
    quantity: 2,
    amount: 60,
    customerEmail: 'robin@example.com',
  })
  expect(purchase).not.toHaveProperty('size')
  expect(purchase.variantId).toBeUndefined()
  expect(toPurchase(values, chosen, user, 7).bikeId).toBe(7)
  // An order without an answer from an earlier version of the shop is repeated with the same body.
  expect(JSON.stringify(purchase)).not.toContain('bikeId')
})

test('the variant of a product with own sizes and colours is sent; the standard ones are preselected by the URL', () => {
  const jacket: ChosenProduct = { ...chosen, size: 'XL', product: { ...product, options: 'variants' } }
  expect(toPurchase(values, jacket, user).variantId).toBe('p1')
  expect(emptyPurchase(jacket, user, 0)).toMatchObject({ quantity: 2, size: null, colour: null })
  expect(emptyPurchase({ ...chosen, size: 'XL' }, user, 0)).toMatchObject({
    size: 'XL',
    customerName: 'Robin',
  })
})

test.each([
  [3, 3],
  [5, 5],
  [6, 2],
  [1, 2],
  [2.5, 2],
  [Number.NaN, 2],
])('a quantity of %d in the URL becomes %i in the form', (wanted, quantity) => {
  expect(emptyPurchase(chosen, user, wanted).quantity).toBe(quantity)
})

test('a stored purchase without an answer has its form and its product', () => {
  const form = { values, product, choice: { size: 'XL' }, bikeId: 7 }
  expect(StoredPurchase.safeParse(form).success).toBe(true)
  expect(StoredPurchase.safeParse({ values }).success).toBe(false)
})

test('keeps size and colour if one was selected', () => {
  expect(toOptions(values)).toBeNull()
  expect(toOptions({ ...values, colour: 'Red' })).toEqual({ colour: 'Red' })
})
