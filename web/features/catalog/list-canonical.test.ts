import { expect, test } from 'vitest'
import { listCanonical } from './list-query.ts'

test.each([
  [{}, '/products'],
  [{ page: 1 }, '/products'],
  [{ page: 2 }, '/products?page=2'],
  [{ kind: ['Brake pads'] }, '/products?kind=Brake+pads'],
  [{ page: 3, brand: ['Größe & Co'] }, '/products?brand=Gr%C3%B6%C3%9Fe+%26+Co&page=3'],
  [{ category: ['Local'] }, '/products?category=Local'],
])('the list of %j has a canonical URL', (query, path) => {
  expect(listCanonical(query, 100)).toBe(path)
})

test.each([
  { q: 'chain' },
  { sort: 'price' as const },
  { kind: ['Chains'], brand: ['Dravic'] },
  { kind: ['Chains'], sort: '-price' as const },
  { kind: ['Chains'], q: 'x' },
  { kind: ['Chains', 'Oils'] },
  { pageSize: 100 },
])('the list of %j has no canonical URL, because other lists show its products', (query) => {
  expect(listCanonical(query, 100)).toBeNull()
})

test('a page without products has no canonical URL', () => {
  expect(listCanonical({ kind: ['Nonsense'] }, 0)).toBeNull()
})
