import type { RouteModule } from './page.ts'

const files = import.meta.glob<RouteModule>([
  '../pages/*.tsx',
  '../layouts/{signed-in,admin-only,dashboard}.tsx',
])

/** Loads the modules of a page. Rejects if a file is missing, for example after a deployment. */
export const loadRouteModules = (names: readonly string[]): Promise<RouteModule[]> =>
  Promise.all(names.map(loadRouteModule))

function loadRouteModule(name: string): Promise<RouteModule> {
  const load = files[`../pages/${name}.tsx`] ?? files[`../layouts/${name}.tsx`]
  return load ? load() : Promise.reject(new Error(`There is no page ${name}.`))
}
