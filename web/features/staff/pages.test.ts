import { expect, test } from 'vitest'
import { dashboardRoutes } from '../../router/dashboard-routes.ts'
import { findPagePermission, staffPages } from './pages.ts'

const paths = dashboardRoutes.filter(({ modules }) => modules.includes('admin-only')).map(({ path }) => path)

test('each page for staff names a permission', () => {
  expect(paths.filter((path) => findPagePermission(path) === undefined)).toEqual([])
})

test('the list has no other page', () => {
  const known = new Set(paths.map((path) => path.split('/')[2]))
  expect(staffPages.filter(({ path }) => !known.has(path))).toEqual([])
})

test('a page is found by its path in any case and with further parts', () => {
  expect(findPagePermission('/Dashboard/Edit-Product/7')).toBe('catalog')
  expect(findPagePermission('/dashboard/shop/name/')).toBe('shop')
  expect(findPagePermission('/dashboard/pack?next=3')).toBe('ship')
  expect(findPagePermission('/dashboard/my-orders')).toBeUndefined()
})
