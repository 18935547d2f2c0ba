import { expect, test } from 'vitest'
import { toEditBody } from './queries.ts'

const product = { name: 'Chain', price: 95, minimum: 1, description: 'Steel.', image: '/pictures/chain.svg' }

test('an edit sends a blank return note, because a missing one stays stored', () => {
  expect(toEditBody({ ...product, returns: undefined })).toEqual({ ...product, returns: '' })
  expect(toEditBody({ ...product, returns: 'Made to order' }).returns).toBe('Made to order')
})
