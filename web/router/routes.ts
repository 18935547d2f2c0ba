/** The path of a screen and its modules. */
export interface Route {
  /** `:name` matches one segment, `:name?` an optional one. */
  path: string
  /** File names: layouts from the outside in (`web/layouts/`), then the page (`web/pages/`). */
  modules: readonly string[]
  /** The page has a loader in `web/loaders/`. */
  loads?: true
}

export interface Match {
  route: Route
  params: Record<string, string>
}

/** Returns a function that finds the first matching route, or undefined if there is none. */
export function createMatcher(routes: readonly Route[]): (pathname: string) => Match | undefined {
  const known = routes.map((route) => ({ route, pattern: toPattern(route.path) }))
  return (pathname) => {
    for (const { route, pattern } of known) {
      const found = pattern.exec(pathname)
      if (found) return decodeParams(route, found.groups ?? {})
    }
    return undefined
  }
}

const toPattern = (path: string) =>
  new RegExp(`^${path.replaceAll(/\/:(\w+)(\?)?/g, '(?:/(?<$1>[^/]+))$2').replace(/\/$/, '')}/?$`, 'i')

/** Returns undefined if the percent-encoding of a segment is invalid, or a control character: Postgres rejects NUL. */
function decodeParams(route: Route, groups: Record<string, string | undefined>): Match | undefined {
  try {
    const params = Object.entries(groups).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, decodeURIComponent(text)]],
    )
    if (params.some(([, text = '']) => /\p{Cc}/u.test(text))) return undefined
    return { route, params: Object.fromEntries(params) }
  } catch {
    return undefined
  }
}

const page = (path: string, ...modules: string[]): Route => ({ path, modules })
const loaded = (path: string, ...modules: string[]): Route => ({ path, modules, loads: true })
const own = (path: string, module: string) => page(path, 'signed-in', module)
/** A page whose module has the name of its path by default, which makes the script of all pages smaller. */
const dashboard = (path: string, module = path.slice(1)) =>
  page(`/dashboard${path}`, 'dashboard', 'signed-in', module)
const admin = (path: string, module = path.slice(1)) =>
  page(`/dashboard${path}`, 'dashboard', 'signed-in', 'admin-only', module)

/** The screens of the specification, and further screens of the shop. */
export const routes: readonly Route[] = [
  loaded('/', 'home'),
  page('/login', 'login'),
  page('/signup', 'sign-up'),
  page('/forgot-password', 'forgot-password'),
  page('/reset-password', 'reset-password'),
  page('/verify-email', 'verify-email'),
  page('/confirm-email', 'confirm-email'),
  loaded('/products', 'products'),
  loaded('/product/:id/:slug?', 'product'),
  loaded('/product/:id/:slug/fitment', 'product-fitment'),
  loaded('/bikes', 'bikes'),
  loaded('/bikes/:make', 'bike-make'),
  loaded('/bikes/:make/:model', 'bike-model'),
  loaded('/bikes/:make/:model/:year', 'bike-year'),
  loaded('/reviews', 'reviews'),
  loaded('/contact-us', 'contact-us'),
  loaded('/blogs', 'blogs'),
  loaded('/blogs/:slug', 'document'),
  loaded('/pages/:slug', 'document'),
  own('/purchase/:id', 'purchase'),
  page('/cart', 'cart'),
  page('/garage', 'garage'),
  page('/checkout', 'checkout'),
  page('/order/:id', 'order'),
  page('/withdraw', 'withdraw'),
  dashboard('', 'my-profile'),
  dashboard('/my-orders'),
  dashboard('/add-review'),
  dashboard('/my-addresses'),
  dashboard('/security'),
  dashboard('/payment/:id', 'payment'),
  admin('/search'),
  admin('/customer'),
  admin('/today'),
  admin('/manage-orders'),
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
  admin('/refunds'),
  admin('/returns'),
  admin('/audit'),
]

export const matchRoute = createMatcher(routes)

const suffix = '.data'
/** The path of the home page has no last segment for the suffix. */
const home = `/_${suffix}`

/** Returns the path that serves only the data of a page. */
export const pageDataPath = (pathname: string): string =>
  pathname === '/' ? home : pathname.replace(/\/$/, '') + suffix

/** Returns the page of a data path; undefined for any other path. */
export function toPagePath(pathname: string): string | undefined {
  if (pathname === home) return '/'
  return pathname.endsWith(suffix) ? pathname.slice(0, -suffix.length) : undefined
}
