import type { RouteModule } from './page.ts'

const files = import.meta.glob<RouteModule>([
  '../pages/*.tsx',
  '../layouts/{signed-in,admin-only,dashboard}.tsx',
])

/** Loads a page's parts; rejects where one is missing, as after a newer version of the shop has taken its place. */
export const loadRouteModules = (names: readonly string[]): Promise<RouteModule[]> =>
  Promise.all(names.map(loadRouteModule))

function loadRouteModule(name: string): Promise<RouteModule> {
  const load = files[`../pages/${name}.tsx`] ?? files[`../layouts/${name}.tsx`]
  return load ? load() : Promise.reject(new Error(`There is no page ${name}.`))
}
