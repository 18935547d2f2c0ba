import { expect, test } from 'vitest'
import { returnPath, toReturnState } from './session.ts'

const place = { pathname: '/purchase/64f1', search: '?from=home', hash: '#form', state: null }

test('the user returns to the previous page, with query and hash', () => {
  expect(returnPath(toReturnState(place))).toBe('/purchase/64f1?from=home#form')
})

test.each([
  null,
  undefined,
  {},
  { from: 7 },
  { from: '' },
  { from: 'https://elsewhere.example' },
  { from: '//elsewhere.example' },
  { from: '/\\elsewhere.example' },
  { from: 'javascript:alert(1)' },
])('%j returns to the home page', (state) => {
  expect(returnPath(state)).toBe('/')
})
