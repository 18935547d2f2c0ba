import { expect, test } from 'vitest'
import { createCacheKeys } from './cache-key.ts'

const parameters: Record<string, string[]> = {
  '/products': ['page', 'q', 'brand'],
  '/products.data': ['page', 'q', 'brand'],
  '/inside/7': [],
}
const toKey = createCacheKeys((path) => parameters[path])

test.each([
  ['/products', '/products'],
  ['/products?', '/products'],
  ['/products?utm_source=x&page=2', '/products?page=2'],
  ['/products?q=a%20b&page=2', '/products?page=2&q=a+b'],
  ['/products?page=2&q=a+b', '/products?page=2&q=a+b'],
  ['/products?brand=b&page=1&brand=a', '/products?brand=a&brand=b&page=1'],
  ['/inside/7?page=2', '/inside/7'],
  ['/nowhere?page=2', '/nowhere'],
  ['/products.data?page=2&utm=1', '/products.data?page=2'],
])('%s has the cache key %s', (url, key) => {
  expect(toKey(url)).toBe(key)
})
