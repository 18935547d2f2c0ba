import { expect, test } from 'vitest'
import { pageAddresses } from './page-address.ts'

const route = (id: string, path: string | undefined, parameters: string[] = [], parentId = 'root') => ({
  [id]: { id, path, parentId: id === 'root' ? undefined : parentId, module: { handle: { parameters } } },
})
const routes = {
  ...route('root', ''),
  ...route('list', 'products', ['page', 'q', 'brand']),
  ...route('frame', undefined, ['tab']),
  ...route('inside', 'inside/:id', [], 'frame'),
} as unknown as Parameters<typeof pageAddresses>[0]['routes']
const addressOf = pageAddresses({ routes })

test.each([
  ['/products', '/products'],
  ['/products?', '/products'],
  ['/products?utm_source=x&page=2', '/products?page=2'],
  ['/products?q=a%20b&page=2', '/products?page=2&q=a+b'],
  ['/products?page=2&q=a+b', '/products?page=2&q=a+b'],
  ['/products?brand=b&page=1&brand=a', '/products?brand=b&brand=a&page=1'],
  ['/inside/7?tab=1&page=2', '/inside/7?tab=1'],
  ['/nowhere?page=2', '/nowhere'],
  ['/products.data?page=2&utm=1', '/products.data?page=2'],
  ['/products.data?_routes=list%2Cevil&page=2', '/products.data?_routes=list&page=2'],
  ['/products.data?_routes=list,root', '/products.data?_routes=root%2Clist'],
  ['/products?_routes=list', '/products'],
])('%s is the page %s', (url, address) => {
  expect(addressOf(url)).toBe(address)
})
