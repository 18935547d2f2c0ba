import { createMatcher, type Route } from './routes.ts'

/** The module of a page has the name of its path by default. */
const page = (path: string, module = path.slice(1)): Route => ({
  path: `/dashboard${path}`,
  modules: ['dashboard', 'signed-in', module],
})
const admin = (path: string, module = path.slice(1)): Route => ({
  path: `/dashboard${path}`,
  modules: ['dashboard', 'signed-in', 'admin-only', module],
})

/** The pages of the dashboard. The browser loads this table with the layout, so that other visitors do not load it. */
export const dashboardRoutes: readonly Route[] = [
  page('', 'my-profile'),
  page('/my-orders'),
  page('/add-review'),
  page('/my-addresses'),
  page('/security'),
  page('/payment/:id', 'payment'),
  admin('/search'),
  admin('/customer'),
  admin('/today'),
  admin('/manage-orders'),
  admin('/new-order'),
  admin('/packing-slips'),
  admin('/pack'),
  admin('/goods-in'),
  admin('/stocktake'),
  admin('/emails'),
  admin('/manage-users'),
  admin('/manage-products'),
  admin('/import-products'),
  admin('/imports'),
  admin('/bikes', 'manage-bikes'),
  admin('/add-product'),
  admin('/edit-product/:id', 'edit-product'),
  admin('/update-product/:id', 'update-product'),
  admin('/brands'),
  admin('/attributes'),
  admin('/search-words', 'synonyms'),
  admin('/size-charts'),
  admin('/pages', 'documents'),
  admin('/redirects'),
  admin('/edit-page/:id', 'edit-page'),
  admin('/charges'),
  admin('/codes'),
  admin('/shop', 'shop-setup'),
  admin('/shop/name', 'shop-name'),
  admin('/shop/brand', 'shop-brand'),
  admin('/shop/footer', 'shop-footer'),
  admin('/shop/home', 'shop-home'),
  admin('/shop/emails', 'shop-emails'),
  admin('/refunds'),
  admin('/returns'),
  admin('/staff'),
  admin('/audit'),
]

export const matchDashboardRoute = createMatcher(dashboardRoutes)
