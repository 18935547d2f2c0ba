import type { PageFiles } from '../../web/entry.server.tsx'

/** An entry of the Vite manifest. Its key is the path of the source file. */
interface Built {
  file: string
  /** Manifest keys of the imported files. */
  imports?: string[]
  css?: string[]
}
export type Manifest = Record<string, Built>

/** Returns a function from the names of route modules to the files that hydrate the page. */
export function indexFiles(manifest: Manifest, entry: string): (modules: readonly string[]) => PageFiles {
  const known = new Map<string, PageFiles>()

  function reach(key: string, reached: Map<string, Built>): Map<string, Built> {
    if (reached.has(key)) return reached
    const file = manifest[key]
    if (!file) throw new Error(`${key} is not built.`)
    reached.set(key, file)
    for (const imported of file.imports ?? []) reach(imported, reached)
    return reached
  }

  /** Returns the manifest key of a page or layout. */
  const toManifestKey = (name: string) => {
    const layout = `web/layouts/${name}.tsx`
    return layout in manifest ? layout : `web/pages/${name}.tsx`
  }

  function find(modules: readonly string[]): PageFiles {
    const reached = new Map<string, Built>()
    for (const key of [entry, ...modules.map(toManifestKey)]) reach(key, reached)
    const [start = '', ...scripts] = [...reached.values()].map(({ file }) => `/${file}`)
    const styles = [...reached.values()].flatMap(({ css = [] }) => css.map((file) => `/${file}`))
    return { entry: start, scripts, styles: [...new Set(styles)] }
  }

  return (modules) => {
    const name = modules.join()
    const files = known.get(name) ?? find(modules)
    known.set(name, files)
    return files
  }
}
