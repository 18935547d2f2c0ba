import { expect, test } from 'vitest'
import { productPath, toSlug } from './product.ts'

test.each([
  ['Grauwerk 320 mm floating brake disc', 'grauwerk-320-mm-floating-brake-disc'],
  ['  “Café” helmet, 100 % carbon! ', 'cafe-helmet-100-carbon'],
  ['5¾-inch LED', '53-4-inch-led'],
  ['Шлем Юпитер', 'шлем-юпитер'],
  ['ガード', 'ガード'],
  ['한국', '한국'],
  ['???', 'part'],
  ['x'.repeat(200), 'x'.repeat(80)],
  [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
])('%j becomes %s in a path', (name, slug) => {
  expect(toSlug(name)).toBe(slug)
})

test('the path of any name can be parsed back', () => {
  const path = productPath({ _id: 'a1', name: 'Шлем / 50 %' })
  expect(new URL(path, 'http://shop.test').pathname).toBe(path)
  expect(decodeURIComponent(path)).toBe('/product/a1/шлем-50')
})
