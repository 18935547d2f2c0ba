import { expect, test } from 'vitest'
import { addressLines, countryCodes, countryName, formatAddress } from './address-rules.ts'
import { Address } from './addresses.ts'

const address = {
  name: 'Robin Rider',
  phone: '555 01',
  line1: '14 Kickstand Lane',
  line2: 'Flat 2',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62701',
  country: 'US',
}

test('each of the 249 country codes has a name of its own', () => {
  expect(new Set(countryCodes).size).toBe(249)
  expect(countryCodes.toSorted()).toEqual(countryCodes)
  const names = countryCodes.map(countryName)
  expect(new Set(names).size).toBe(249)
  expect(names.filter((name) => /^[A-Z]{2}$/.test(name))).toEqual([])
})

test('an address is composed in the order of the form, without name, phone and blank parts', () => {
  expect(formatAddress(address)).toBe('14 Kickstand Lane, Flat 2, Springfield, IL 62701, United States')
  expect(addressLines({ ...address, line2: '', region: '' })).toEqual([
    '14 Kickstand Lane',
    'Springfield 62701',
    'United States',
  ])
  const { name, line1, city } = address
  expect(formatAddress({ name, line1, city, country: 'DE' })).toBe('14 Kickstand Lane, Springfield, Germany')
})

test('the longest address fits into the shipping address of an order', () => {
  const limits = { name: 120, line1: 120, line2: 120, city: 80, region: 80, postalCode: 20 }
  const texts = Object.entries(limits).map(([field, limit]) => [field, 'x'.repeat(limit)] as const)
  for (const country of countryCodes) {
    const full = Address.parse({ ...Object.fromEntries(texts), country })
    expect(formatAddress(full).length).toBeLessThanOrEqual(500)
  }
  for (const [field, text] of texts) {
    expect(Address.safeParse({ ...address, [field]: `${text}x` }).success, field).toBe(false)
  }
})

test.each([
  [{ name: ' ' }, 'Name is required'],
  [{ line1: '' }, 'Address is required'],
  [{ city: '' }, 'City is required'],
  [{ country: '' }, 'Select a country'],
  [{ country: 'us' }, 'Select a country'],
  [{ country: 'XX' }, 'Select a country'],
  [{ city: 'a\nb' }, 'This text contains characters that are not allowed'],
])('an address with %j is rejected', (wrong, message) => {
  expect(Address.safeParse({ ...address, ...wrong }).error?.issues[0]?.message).toBe(message)
})
