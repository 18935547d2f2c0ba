import { expect, test } from 'vitest'
import { href, isHref } from './hrefs.ts'

test.each(['/', '/reviews', '/products?kind=Brake+pads#list', 'https://motos.example/a?b=c'])(
  'a link may lead to %s',
  (target) => expect(isHref(target)).toBe(true),
)

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'http://motos.example',
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/a b',
  '/"onclick=alert(1)',
  'https://user:password@motos.example',
  'https:motos.example',
  'https://',
  'motos.example',
  'mailto:a@b.example',
])('a link does not lead to %s', (target) => {
  expect(isHref(target)).toBe(false)
  expect(href.safeParse(target).success && href.parse(target) === target).toBe(false)
})

test('a link has no very long host', () => {
  expect(href.safeParse(`https://${'Z'.repeat(90_000)}`).success).toBe(false)
})
