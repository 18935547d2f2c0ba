import { expect, test } from 'vitest'
import { isShopPath } from '../../../contract/shop-paths.ts'
import { isCrawled } from '../../../tests/robots.ts'
import { toggleLink } from '../../../web/features/catalog/list-choice.ts'
import { listLink } from '../../../web/features/catalog/list-links.ts'
import { listCanonical } from '../../../web/features/catalog/list-query.ts'
import { createRobots } from './robots.ts'

const robots = createRobots('https://parts.shop.test')
const closed = (paths: string[]) => paths.filter((path) => !isCrawled(robots, path))

test.each([
  ['Allow: /p\nDisallow: /', '/page', true],
  ['Allow: /p\nDisallow: /', '/other', false],
  ['Disallow: /folder\nAllow: /folder', '/folder/page', true],
  ['Allow: /page\nDisallow: /*.htm', '/page.htm', false],
  ['Allow: /$\nDisallow: /', '/', true],
  ['Allow: /$\nDisallow: /', '/page.htm', false],
  ['Disallow: /fish*.php', '/fishheads/cat.php?id=1', false],
  ['Disallow: /fish*.php', '/Fish.php', true],
  ['Disallow: /*.php$', '/file.php?id=1', true],
  ['Disallow: /a?b', '/a?b=1', false],
  ['Disallow: /a?b', '/b', true],
])('by the rules %j, the path %s is requested: %s', (rules, path, isRequested) => {
  expect(isCrawled(`User-agent: *\n${rules}\n`, path)).toBe(isRequested)
})

test('no rule closes an old address, which can redirect to a product', () => {
  const old = [
    '/garage-equipment/stands',
    '/cartridge-emulators/fork',
    '/carts',
    '/checkout-counter.html',
    '/dashboards',
    '/dashboard-lights/led',
    '/orders/1',
    '/api-docs',
    '/products-old',
    '/collections/motorbikes?motorbike=7&sort=price',
    '/product/brake-pads',
    '/product-category/oils?q=x&page=2',
  ]
  expect(old.filter((path) => isShopPath(path.split('?')[0] ?? ''))).toEqual([])
  expect(closed(old)).toEqual([])
})

test('pages with personal data and paths for programs are closed', () => {
  const personal = ['/cart', '/garage', '/checkout', '/dashboard', '/dashboard/my-orders', '/order/1']
  const paths = [...personal, '/purchase/1?size=M', '/api/v1/products', '/idp/session', '/sandbox/mailbox']
  expect(closed(paths)).toEqual(paths)
})

test('every canonical list is open, with its pages', () => {
  const lists = [{}, { kind: ['Brake pads'] }, { brand: ['Größe & Co, Öl = *$?'] }, { category: ['Local'] }]
  const paths = lists.flatMap((list) => [1, 2, 40].map((page) => listCanonical({ ...list, page }, 24) ?? ''))
  expect(paths).toContain('/products?category=Local&page=40')
  expect(closed(paths)).toEqual([])
})

test('links that filter, sort or search a list are closed, with the pages behind them', () => {
  const kind = 'kind=Chains'
  const lists = [
    toggleLink(kind, 'kind', 'Oils'),
    toggleLink(kind, 'brand', 'Dravic'),
    toggleLink(kind, 'category', 'Local'),
    toggleLink(kind, 'price', '25-50'),
    toggleLink(kind, 'attribute', 'Pitch:520'),
    toggleLink('category=Local', 'kind', 'Chains'),
    toggleLink('', 'price', '25-50'),
    toggleLink('', 'inStock', 'true'),
    toggleLink('', 'certificate', 'EN 17092 AA'),
    listLink(kind, { q: 'chain' }),
    listLink('', { q: 'chain' }),
    listLink('', { sort: 'price' }),
    listLink('', { fit: 'universal' }),
    listLink('', { plain: 'true' }),
    listLink('', { bike: '7' }),
    listLink(kind, { bike: '7' }),
    '/products?range=Length&from=140&to=150',
  ]
  const all = lists.flatMap((list) => [list, listLink(list.split('?')[1] ?? '', { page: '2' })])
  expect(closed(all)).toEqual(all)
})

test('a product is open with its size and colour, and closed with a bike, which has pages of its own', () => {
  const path = '/product/1/jacket?size=M&colour=Blue'
  expect(closed([path, `${path}&bike=7`, '/product/1/jacket?bike=7'])).toEqual([
    `${path}&bike=7`,
    '/product/1/jacket?bike=7',
  ])
})
