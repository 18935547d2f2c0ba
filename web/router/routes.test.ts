import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isShopPath } from '../../contract/shop-paths.ts'
import { loaders } from '../loaders/loaders.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import { loadRouteModules } from './open-page.ts'
import type { RouteModule } from './page.ts'
import { routes as otherRoutes, type Route } from './routes.ts'

const routes = [...otherRoutes, ...dashboardRoutes]

test('the table contains exactly the files of pages and layouts', () => {
  const web = path.join(import.meta.dirname, '..')
  const files = globSync(['pages/*.tsx', 'layouts/{signed-in,admin-only,dashboard}.tsx'], { cwd: web })
  const names = files.map((file) => path.parse(file).name)
  expect(new Set(routes.flatMap(({ modules }) => modules))).toEqual(new Set(names))
})

test('the routes of the dashboard are in the table that only its visitors load', () => {
  const isInDashboard = ({ path }: Route) => /^\/dashboard(\/|$)/.test(path)
  expect(otherRoutes.filter(isInDashboard)).toEqual([])
  expect(dashboardRoutes.filter((route) => !isInDashboard(route))).toEqual([])
})

test('the pages of the dashboard and the purchase have their guards', () => {
  const customerPages = ['', '/my-orders', '/add-review', '/my-addresses', '/security', '/payment/:id']
  const isForCustomers = ({ path }: Route) => customerPages.includes(path.slice('/dashboard'.length))
  for (const route of dashboardRoutes)
    expect(route.modules.slice(0, -1), route.path).toEqual([
      'dashboard',
      'signed-in',
      ...(isForCustomers(route) ? [] : ['admin-only']),
    ])
  expect(dashboardRoutes.filter(isForCustomers)).toHaveLength(customerPages.length)
  const guarded = otherRoutes.filter(({ modules }) => modules.includes('signed-in'))
  expect(guarded.map(({ path, modules }) => [path, ...modules])).toEqual([
    ['/purchase/:id', 'signed-in', 'purchase'],
  ])
})

test('the browser finds the modules of each page', async () => {
  for (const { path, modules } of routes)
    expect(
      (await loadRouteModules(modules)).map(({ default: Module }) => typeof Module),
      path,
    ).toEqual(modules.map(() => 'function'))
})

test('the browser loads data for the pages with a loader on the server', () => {
  const loaded = routes.filter(({ loads }) => loads).map(({ modules }) => modules.at(-1) ?? '')
  expect(new Set(loaded)).toEqual(new Set(Object.keys(loaders)))
})

test('no redirect can have the path of a page that every shop has', () => {
  const paths = routes.filter(({ path }) => !path.includes(':')).map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !isShopPath(path))).toEqual([])
  for (const path of ['/api/products', '/sitemap.xml', '/purchase/7', '/Products/'])
    expect(isShopPath(path), path).toBe(true)
  for (const path of ['/products/old', '/collections/all', '/pages/terms', '/blogs/news', '/product/7'])
    expect(isShopPath(path), path).toBe(false)
})

test('each page has a title', async () => {
  const pages = import.meta.glob<RouteModule>('../pages/*.tsx')
  const product = { _id: '7', name: 'Chain', description: '' }
  const data = {
    product,
    title: 'Products',
    name: 'Yamaha',
    bike: { name: '2009 R6' },
    total: 0,
    years: [],
    models: [],
    makes: [],
  } as never
  for (const [file, load] of Object.entries(pages)) {
    expect((await load()).meta?.(data).title, file).toMatch(/^[A-Z]/)
  }
})
