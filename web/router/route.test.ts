import { expect, test } from 'vitest'
import { createMatcher } from './routes.ts'

const match = createMatcher([
  { path: '/', modules: ['home'] },
  { path: '/list', modules: ['list'] },
  { path: '/list/new', modules: ['new'] },
  { path: '/list/:id', modules: ['one'] },
  { path: '/thing/:id/:name?', modules: ['thing'] },
])

test.each([
  ['/', 'home', {}],
  ['/list', 'list', {}],
  ['/list/', 'list', {}],
  ['/LIST', 'list', {}],
  ['/list/new', 'new', {}],
  ['/list/7', 'one', { id: '7' }],
  ['/list/a%2Fb%20c', 'one', { id: 'a/b c' }],
  ['/thing/7', 'thing', { id: '7' }],
  ['/thing/7/', 'thing', { id: '7' }],
  ['/thing/7/brake-pad', 'thing', { id: '7', name: 'brake-pad' }],
])('%s matches the page %s with %j', (path, module, params) => {
  const found = match(path)
  expect(found?.route.modules).toEqual([module])
  expect(found?.params).toEqual(params)
})

test.each(['/lists', '/list/7/8', '//list', '/thing', '/thing/7/a/b', '/list/%E0%A4%A', 'list'])(
  '%j matches no page',
  (path) => {
    expect(match(path)).toBeUndefined()
  },
)
