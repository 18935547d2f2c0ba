import { describe, expect, test } from 'vitest'
import {
  detectBrand,
  readExpiry,
  refuseCvc,
  refuseExpiry,
  refuseNumber,
  showExpiry,
  showNumber,
} from './browser/card-fields.js'
import testCards from './browser/test-cards.json' with { type: 'json' }

const testNumbers = testCards.map((card) => card.number)

describe('the card number', () => {
  test('is grouped as on the card', () => {
    expect(showNumber('4242424242424242')).toBe('4242 4242 4242 4242')
    expect(showNumber('378282246310005')).toBe('3782 822463 10005')
    expect(showNumber('42424')).toBe('4242 4')
    expect(showNumber('')).toBe('')
  })

  test.each(testCards)('$number is a $brand test card', ({ number, brand }) => {
    expect(detectBrand(number)).toBe(brand)
    expect(refuseNumber(number, testNumbers)).toBeNull()
  })

  test.each([
    ['424242424242424', 'Your card number is incomplete.'],
    ['4242424242424241', 'Your card number is invalid.'],
    ['4111111111111111', 'Only test cards are accepted here: never type a real card.'],
  ])('%s is rejected: %s', (number, message) => {
    expect(refuseNumber(number, testNumbers)).toMatchObject({ message })
  })
})

describe('the expiry date', () => {
  test.each([
    ['1', '1'],
    ['5', '05'],
    ['13', '013'],
    ['00', '0'],
    ['1234', '1234'],
    ['12/34', '1234'],
    ['1/34', '0134'],
    ['12 / 2034', '1234'],
    ['12 / 20', '1220'],
    ['12 / 345', '1234'],
  ])('%s is parsed as %s', (typed, digits) => {
    expect(readExpiry(typed)).toBe(digits)
  })

  test('gets its separator while typing and loses it while deleting', () => {
    expect(showExpiry('12', false)).toBe('12 / ')
    expect(showExpiry('12', true)).toBe('12')
    expect(showExpiry('123', true)).toBe('12 / 3')
  })

  test.each([
    ['12', "Your card's expiration date is incomplete."],
    ['1225', "Your card's expiration year is in the past."],
    ['0526', "Your card's expiration date is in the past."],
    ['1299', "Your card's expiration year is invalid."],
  ])('%s is rejected in June 2026: %s', (digits, message) => {
    expect(refuseExpiry(digits, new Date(2026, 5, 30))).toMatchObject({ message })
  })

  test('is valid until the end of its month', () => {
    expect(refuseExpiry('0626', new Date(2026, 5, 30))).toBeNull()
  })
})

test('the security code has four digits for American Express and three for others', () => {
  expect(refuseCvc('123', 'visa')).toBeNull()
  expect(refuseCvc('123', 'amex')).toMatchObject({ code: 'incomplete_cvc' })
  expect(refuseCvc('1234', 'amex')).toBeNull()
})
