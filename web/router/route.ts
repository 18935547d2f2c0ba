/** A screen's address, and the files that draw it. */
export interface Route {
  /** A path whose `:name` stands for one segment; with `?` behind it the segment may be missing. */
  path: string
  /** The names of its parts in `web/pages/`: the frames that stand around it from the outside in, and the page itself. */
  modules: readonly string[]
  /** The server reads something for it: see `web/loaders/`. */
  loads?: true
}

export interface Match {
  route: Route
  params: Record<string, string>
}

/** Finds the route of a path; the first that fits. Undefined: there is no page. */
export function createMatcher(routes: readonly Route[]): (pathname: string) => Match | undefined {
  const known = routes.map((route) => ({ route, pattern: toPattern(route.path) }))
  return (pathname) => {
    for (const { route, pattern } of known) {
      const found = pattern.exec(pathname)
      if (found) return decoded(route, found.groups ?? {})
    }
    return undefined
  }
}

const toPattern = (path: string) =>
  new RegExp(`^${path.replaceAll(/\/:(\w+)(\?)?/g, '(?:/(?<$1>[^/]+))$2').replace(/\/$/, '')}/?$`, 'i')

/** Undefined if a segment's escapes stand for no text. */
function decoded(route: Route, groups: Record<string, string | undefined>): Match | undefined {
  try {
    const params = Object.entries(groups).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, decodeURIComponent(text)]],
    )
    return { route, params: Object.fromEntries(params) }
  } catch {
    return undefined
  }
}
