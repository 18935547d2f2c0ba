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

/** Returns undefined if the percent-encoding of a segment is invalid. */
function decodeParams(route: Route, groups: Record<string, string | undefined>): Match | undefined {
  try {
    const params = Object.entries(groups).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, decodeURIComponent(text)]],
    )
    return { route, params: Object.fromEntries(params) }
  } catch {
    return undefined
  }
}
