import { beforeEach, expect, test } from 'vitest'
import { storeInTab } from '../../tab-storage.ts'
import { readChoice } from './use-charges.ts'

beforeEach(() => sessionStorage.clear())

const choice = { shippingRate: 'Express', coupon: 'TORQUE10' }

test('a customer gets the code and the shipping method that they or a guest chose, but none of another customer', () => {
  storeInTab('charges', { ...choice, buyer: 'c1' })
  expect(readChoice('charges', 'c1')).toEqual(choice)
  expect(readChoice('charges', 'c2')).toEqual({})
  expect(readChoice('charges', null)).toEqual({})
  storeInTab('charges', { ...choice, buyer: null })
  expect(readChoice('charges', 'c1')).toEqual(choice)
})
