import { beforeEach, expect, test } from 'vitest'
import { closeAttempt, getAttemptKey, getOpenAttemptValues } from './place-order.ts'

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
