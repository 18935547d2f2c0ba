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

export type MatchRoute = (pathname: string) => Match | undefined

/** Returns a function that finds the first matching route, or undefined if there is none. */
export function createMatcher(routes: readonly Route[]): MatchRoute {
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

/** The module of a page has the name of the first segment by default. */
const page = (path: string, module = path.split('/')[1] ?? ''): Route => ({ path, modules: [module] })
const loaded = (path: string, module?: string): Route => ({ ...page(path, module), loads: true })

/** The screens outside the dashboard: the specified screens, and further ones. */
export const routes: readonly Route[] = [
  loaded('/', 'home'),
  page('/login'),
  page('/signup', 'sign-up'),
  page('/forgot-password'),
  page('/reset-password'),
  page('/verify-email'),
  page('/confirm-email'),
  loaded('/products'),
  loaded('/product/:id/:slug?'),
  loaded('/product/:id/:slug/fitment', 'product-fitment'),
  loaded('/bikes'),
  loaded('/bikes/:make', 'bike-make'),
  loaded('/bikes/:make/:model', 'bike-model'),
  loaded('/bikes/:make/:model/:year', 'bike-year'),
  loaded('/reviews'),
  loaded('/contact-us'),
  loaded('/blogs'),
  loaded('/blogs/:slug', 'document'),
  loaded('/pages/:slug', 'document'),
  { path: '/purchase/:id', modules: ['signed-in', 'purchase'] },
  page('/cart'),
  page('/garage'),
  page('/checkout'),
  page('/order/:id'),
  page('/withdraw'),
  page('/join'),
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
