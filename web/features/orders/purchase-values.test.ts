import { expect, test } from 'vitest'
import { purchaseSchema, toOptions, toPurchase } from './place-order.ts'

const product = {
  _id: 'p1',
  name: 'Chain',
  image: '',
  description: '',
  minimum: 2,
  quantity: 5,
  price: 30,
}
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
const values = { quantity: 2, size: null, colour: null, customerAddress: '1 Road' }
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
  const purchase = toPurchase({ ...values, size: 'XL' }, product, user)
  expect(purchase).toMatchObject({
    productId: 'p1',
    quantity: 2,
    amount: 60,
    customerEmail: 'robin@example.com',
  })
  expect(purchase).not.toHaveProperty('size')
})

test('size and colour are kept if one was selected', () => {
  expect(toOptions(values)).toBeNull()
  expect(toOptions({ ...values, colour: 'Red' })).toEqual({ colour: 'Red' })
})
