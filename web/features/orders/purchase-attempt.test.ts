import { beforeEach, expect, test } from 'vitest'
import { closeAttempt, keyOfAttempt, valuesOfOpenAttempt } from './purchase-attempt.ts'

const purchase = { productId: 'p1', quantity: 2, amount: 40, customerAddress: '1 Road' }
const values = { quantity: 2, size: null, colour: null, customerAddress: '1 Road' }

beforeEach(() => sessionStorage.clear())

test('the same purchase keeps its key until an answer has come, so that it is not ordered twice', () => {
  const first = keyOfAttempt(purchase, values)
  expect(keyOfAttempt(purchase, values)).toBe(first)
  closeAttempt('p1')
  expect(keyOfAttempt(purchase, values)).not.toBe(first)
})

test('another content, or another product, has another key', () => {
  const first = keyOfAttempt(purchase, values)
  expect(keyOfAttempt({ ...purchase, quantity: 3 }, values)).not.toBe(first)
  expect(keyOfAttempt({ ...purchase, productId: 'p2' }, values)).not.toBe(first)
})

test('after a reload the form is as it was sent', () => {
  expect(valuesOfOpenAttempt('p1')).toBeNull()
  keyOfAttempt(purchase, values)
  expect(valuesOfOpenAttempt('p1')).toEqual(values)
})
