import type { Plugin } from 'vite'

const helperId = '\0vite/preload-helper.js'

const helper = `
const loads = {}
const addStyles = (file) => loads[file] ??= new Promise((resolve, reject) => {
  const link = document.createElement('link')
  link.onload = resolve
  link.onerror = () => {
    link.remove()
    delete loads[file]
    reject(new Error('Missing ' + file))
  }
  link.rel = 'stylesheet'
  link.href = '/' + file
  document.head.append(link)
})
export const __vitePreload = (load, styles = []) =>
  styles.length > 0 ? Promise.all(styles.map(addStyles)).then(load) : load()
`

/**
 * Replaces the code that Vite adds around each `import()`. Vite's is 0.5 KiB of script in every document, to preload
 * chunks. Here only style sheets are left, because `resolveDependencies` returns nothing else.
 */
export const smallImportHelper: Plugin = {
  name: 'small-import-helper',
  enforce: 'pre',
  load: (id) => (id === helperId ? helper : null),
}
