import { beforeEach, describe, expect, test } from 'vitest'
import { deliverySchema } from './delivery-schema.ts'
import { initialDelivery, readContact, readDraft, removeDraft, storeDraft } from './delivery-values.ts'

const home = {
  id: 'a1',
  label: 'Home',
  name: 'Robin Rider',
  line1: '14 Kickstand Lane',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62701',
  country: 'US',
  isDefault: false,
}
const customer = { name: 'R. Rider', phone: '555', email: 'robin@example.com' }
beforeEach(() => sessionStorage.clear())

const values = { ...initialDelivery([{ ...home, isDefault: true }], null), email: 'guest@example.com' }

test('a delivery starts with the default address, else with the name and phone of the customer', () => {
  const work = { ...home, id: 'a2', label: 'Work', name: 'Shop', isDefault: true }
  const blank = { phone: '', line2: '', region: '', postalCode: '' }
  const { name, line1, city, region, postalCode, country } = work
  expect(initialDelivery([home, work], null, customer).address).toEqual({
    ...blank,
    name,
    line1,
    city,
    region,
    postalCode,
    country,
  })
  const none = { ...blank, line1: '', city: '', country: '' }
  expect(initialDelivery([], null, customer).address).toEqual({ ...none, name: 'R. Rider', phone: '555' })
  expect(initialDelivery([], null).address).toEqual({ ...none, name: '' })
  const typed = { ...customer, ...readContact({ name: 'Robin', phone: '' }) }
  expect(initialDelivery([], null, typed).address).toMatchObject({ name: 'Robin', phone: '555' })
  expect(initialDelivery([home, work], null, typed).address).toMatchObject({ name: 'Shop' })
  for (const state of [null, 'x', { name: 1 }]) expect(readContact(state)).toEqual({})
})

test('a guest needs an email, and a customer does not', () => {
  const check = (isGuest: boolean, email: string) =>
    deliverySchema(isGuest, null).safeParse({ ...values, email }).error?.issues[0]?.message
  expect(check(true, '')).toBe('Email is required')
  expect(check(true, 'guest')).toBe('Email not valid')
  expect(check(true, 'guest@example.com')).toBeUndefined()
  expect(check(false, '')).toBeUndefined()
})

test('an address is required, and the note has several lines of at most 300 characters', () => {
  const check = (wrong: object) =>
    deliverySchema(true, null).safeParse({ ...values, ...wrong }).error?.issues[0]
  expect(check({ address: { ...values.address, city: ' ' } })).toMatchObject({
    path: ['address', 'city'],
    message: 'City is required',
  })
  expect(check({ note: `Ring twice.\n${'x'.repeat(288)}` })).toBeUndefined()
  expect(check({ note: 'x'.repeat(301) })?.message).toBe('At most 300 characters')
})

test('the input is read again by the same buyer, until it is removed', () => {
  const typed = { ...values, savedId: '', note: 'Ring twice.' }
  storeDraft('c1', typed)
  expect(readDraft('c1', [home], null)).toEqual(typed)
  expect(readDraft('c2', [home], null)).toBeNull()
  expect(readDraft(null, [], null)).toBeNull()
  removeDraft()
  expect(readDraft('c1', [home], null)).toBeNull()
})

test('a chosen address has its present parts; one that was deleted becomes another address', () => {
  storeDraft('c1', { ...values, savedId: 'a1' })
  const moved = { ...home, line1: '15 Kickstand Lane' }
  expect(readDraft('c1', [moved], null)).toMatchObject({
    savedId: 'a1',
    address: { line1: '15 Kickstand Lane' },
  })
  expect(readDraft('c1', [], null)).toMatchObject({ savedId: '', address: { line1: '14 Kickstand Lane' } })
})

test.each(['{', '7', '{"customerId":"c1","values":{}}'])('a stored text %j is not an input', (text) => {
  sessionStorage.setItem('delivery', text)
  expect(readDraft('c1', [], null)).toBeNull()
})

describe('an address that cannot receive an order', () => {
  const { postalCode: _, ...incomplete } = { ...home, isDefault: true }

  test('is shown for completion, as another address', () => {
    expect(initialDelivery([incomplete], null)).toMatchObject({
      savedId: '',
      address: { city: 'Springfield' },
    })
    storeDraft('c1', { ...values, savedId: 'a1' })
    expect(readDraft('c1', [incomplete], null)).toMatchObject({ savedId: '' })
    expect(initialDelivery([{ ...home, isDefault: true }], ['DE']).savedId).toBe('')
  })

  test('is refused with the missing part, except if the order was sent before', () => {
    const check = (served: undefined | null | string[]) =>
      deliverySchema(false, served)
        .safeParse({ ...values, address: incomplete })
        .error?.issues.map(({ path, message }) => [path.join('.'), message])
    expect(check(null)).toEqual([['address.postalCode', 'Postal code is required']])
    expect(check(['DE'])).toEqual([['address.country', 'We do not deliver to this country']])
    expect(check(undefined)).toBeUndefined()
  })
})

test('without a saved address the last paid order fills in the form, or the only country that the shop serves', () => {
  const { id: _id, label: _label, isDefault: _isDefault, ...last } = home
  expect(initialDelivery([], null, { ...customer, last })).toMatchObject({ savedId: '', address: last })
  expect(initialDelivery([], ['DE'], customer).address).toMatchObject({ name: 'R. Rider', country: 'DE' })
  expect(initialDelivery([], ['DE', 'AT'], customer).address.country).toBe('')
})
