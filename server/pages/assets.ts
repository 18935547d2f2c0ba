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
  const start = built(entry)

  function built(key: string): Built {
    const found = manifest[key]
    if (!found) throw new Error(`${key} is not built.`)
    return found
  }

  function reach(key: string, reached: Map<string, Built>): void {
    if (reached.has(key)) return
    const file = built(key)
    reached.set(key, file)
    for (const imported of file.imports ?? []) reach(imported, reached)
  }

  /** Returns the manifest key of a page or layout. */
  const toManifestKey = (name: string) => {
    const layout = `web/layouts/${name}.tsx`
    return layout in manifest ? layout : `web/pages/${name}.tsx`
  }

  return (modules) => {
    const name = modules.join()
    const last = known.get(name)
    if (last) return last
    const reached = new Map<string, Built>()
    for (const key of [entry, ...modules.map(toManifestKey)]) reach(key, reached)
    reached.delete(entry)
    const files = [...reached.values()]
    const found = {
      entry: `/${start.file}`,
      scripts: files.map(({ file }) => `/${file}`),
      styles: [...new Set([start, ...files].flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
    }
    known.set(name, found)
    return found
  }
}
