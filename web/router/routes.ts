import { createMatcher, type Route } from './route.ts'

const page = (path: string, ...modules: string[]): Route => ({ path, modules })
const loaded = (path: string, ...modules: string[]): Route => ({ path, modules, loads: true })
const own = (path: string, module: string) => page(path, 'signed-in', module)
const dashboard = (path: string, module: string) =>
  page(`/dashboard${path}`, 'signed-in', 'dashboard', module)
const admin = (path: string, module: string) =>
  page(`/dashboard${path}`, 'signed-in', 'dashboard', 'admin-only', module)

/** The screens of the specification, three for password reset and email verification, and four more for admins. */
export const routes: readonly Route[] = [
  loaded('/', 'home'),
  page('/login', 'login'),
  page('/signup', 'sign-up'),
  page('/forgot-password', 'forgot-password'),
  page('/reset-password', 'reset-password'),
  page('/verify-email', 'verify-email'),
  loaded('/products', 'products'),
  loaded('/product/:id/:slug?', 'product'),
  loaded('/reviews', 'reviews'),
  page('/contact-us', 'contact-us'),
  page('/blogs', 'blogs'),
  own('/purchase/:id', 'purchase'),
  dashboard('', 'my-profile'),
  dashboard('/my-orders', 'my-orders'),
  dashboard('/add-review', 'add-review'),
  dashboard('/payment/:id', 'payment'),
  admin('/manage-orders', 'manage-orders'),
  admin('/manage-users', 'manage-users'),
  admin('/manage-products', 'manage-products'),
  admin('/import-products', 'import-products'),
  admin('/add-product', 'add-product'),
  admin('/edit-product/:id', 'edit-product'),
  admin('/update-product/:id', 'update-product'),
  admin('/refunds', 'refunds'),
  admin('/audit', 'audit'),
]

export const matchRoute = createMatcher(routes)
