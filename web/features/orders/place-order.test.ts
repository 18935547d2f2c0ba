import { beforeEach, expect, test, vi } from 'vitest'
import type { ChosenProduct } from '../../../contract/choice.ts'
import {
  closeAttempt,
  emptyPurchase,
  getAttemptKey,
  getOpenAttemptValues,
  purchaseSchema,
  toOptions,
  toPurchase,
} from './place-order.ts'

const purchase = { productId: 'p1', quantity: 2, amount: 40, customerAddress: '1 Road' }
const values = { quantity: 2, size: null, colour: null, customerAddress: '1 Road' }

beforeEach(() => sessionStorage.clear())

test('the same purchase keeps its key until a response, so that it is not ordered twice', () => {
  const first = getAttemptKey(purchase, values)
  expect(getAttemptKey(purchase, values)).toBe(first)
  closeAttempt('p1')
  expect(getAttemptKey(purchase, values)).not.toBe(first)
})

test('a changed purchase or another product has another key', () => {
  const first = getAttemptKey(purchase, values)
  expect(getAttemptKey({ ...purchase, quantity: 3 }, values)).not.toBe(first)
  expect(getAttemptKey({ ...purchase, productId: 'p2' }, values)).not.toBe(first)
})

test('after a reload the form has the values that were sent', () => {
  expect(getOpenAttemptValues('p1')).toBeNull()
  getAttemptKey(purchase, values)
  expect(getOpenAttemptValues('p1')).toEqual(values)
})

test.each(['{', '7', '{}', '{"key":"k","sent":"{}","values":null}'])(
  'a stored text that is not an attempt is ignored: %s',
  (text) => {
    sessionStorage.setItem('purchase:p1', text)
    expect(getOpenAttemptValues('p1')).toBeNull()
    getAttemptKey(purchase, values)
    expect(getOpenAttemptValues('p1')).toEqual(values)
  },
)

test('a browser that does not allow the shop to store data has no attempt', () => {
  vi.stubGlobal('sessionStorage', undefined)
  expect(getOpenAttemptValues('p1')).toBeNull()
  vi.unstubAllGlobals()
})

const chosen: ChosenProduct = {
  values: { size: [], colour: [] },
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
})

test('the variant of a product with own sizes and colours is sent; the standard ones are preselected by the URL', () => {
  const jacket: ChosenProduct = { ...chosen, size: 'XL', product: { ...product, options: 'variants' } }
  expect(toPurchase(values, jacket, user).variantId).toBe('p1')
  expect(emptyPurchase(jacket, user)).toMatchObject({ quantity: 2, size: null, colour: null })
  expect(emptyPurchase({ ...chosen, size: 'XL' }, user)).toMatchObject({ size: 'XL', customerName: 'Robin' })
})

test('size and colour are kept if one was selected', () => {
  expect(toOptions(values)).toBeNull()
  expect(toOptions({ ...values, colour: 'Red' })).toEqual({ colour: 'Red' })
})
