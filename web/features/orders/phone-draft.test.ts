import { beforeEach, expect, test } from 'vitest'
import { readPhoneDraft, removePhoneDraft, storePhoneDraft } from './phone-draft.ts'

beforeEach(() => sessionStorage.clear())

const draft = {
  email: 'caller@example.com',
  lines: [],
  bikes: [],
  payWithinDays: 7,
  values: { address: '14 Kickstand Lane' },
}

test('the input of an order by phone is stored for the same member of the staff, until it is removed', () => {
  storePhoneDraft('s1', draft)
  expect(readPhoneDraft('s1')).toEqual(draft)
  expect(readPhoneDraft('s2')).toBeNull()
  removePhoneDraft()
  expect(readPhoneDraft('s1')).toBeNull()
})

test('the input that an earlier version stored for anyone is ignored', () => {
  sessionStorage.setItem('phone-draft', JSON.stringify(draft))
  expect(readPhoneDraft('s1')).toBeNull()
})
