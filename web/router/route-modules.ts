import type { PagePart } from './page.ts'

const files = import.meta.glob<PagePart>([
  '../pages/*.tsx',
  '../layouts/{signed-in,admin-only,dashboard}.tsx',
])

/** Loads a page's parts; rejects where one is missing, as after a newer version of the shop has taken its place. */
export const loadParts = (names: readonly string[]): Promise<PagePart[]> => Promise.all(names.map(loadPart))

function loadPart(name: string): Promise<PagePart> {
  const load = files[`../pages/${name}.tsx`] ?? files[`../layouts/${name}.tsx`]
  return load ? load() : Promise.reject(new Error(`There is no page ${name}.`))
}
