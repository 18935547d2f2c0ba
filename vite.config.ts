import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { smallImportHelper } from './scripts/import-helper.ts'
import { precompress } from './scripts/precompress.ts'

const web = new URL('./web/', import.meta.url)

/** Libraries of every page: they stay in the browser's cache when the shop's own code changes. */
const framework = /node_modules[\\/](react|react-dom|scheduler)[\\/]/

/** Code that pages of products, carts and orders share. */
const details = /web[\\/]ui[\\/]description-list|contract[\\/]choice-urls/

/** Code that the product list shares with other lists. */
const listing =
  /web[\\/]ui[\\/]pages-nav|web[\\/]features[\\/]fit[\\/]demo-notice|contract[\\/]product-filters/

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Returns a file and all its imports, direct and indirect. */
function collectImports(file: string, graph: ModuleGraph): Set<string> {
  const reach = new Set([fileURLToPath(new URL(file, web))])
  // The loop includes the ids that it adds.
  for (const id of reach)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reach.add(imported)
  return reach
}

/**
 * The pages that visitors arrive at. Code that several of them share is in few files, which are smaller than many
 * little ones.
 */
const openPages = ['home', 'products', 'product', 'contact-us']

function findGroups(graph: ModuleGraph) {
  const reaches = openPages.map((page) => collectImports(`pages/${page}.tsx`, graph))
  const shared = reaches.flatMap((reach) => [...reach]).filter((id, at, all) => all.indexOf(id) < at)
  const ours = shared.filter((id) => !id.includes('/features/catalog/'))
  const purchase = collectImports('pages/purchase.tsx', graph)
  const buying = [...collectImports('pages/product.tsx', graph)].filter(
    (id) => purchase.has(id) && (id.includes('/features/') || id.endsWith('/contract/choice.ts')),
  )
  return {
    shell: new Set([...collectImports('entry.client.tsx', graph), ...ours]),
    catalog: new Set(shared.filter((id) => id.includes('/features/catalog/'))),
    buying: new Set(buying),
  }
}

let groups: ReturnType<typeof findGroups> | undefined
const inGroup = (name: keyof ReturnType<typeof findGroups>) => (id: string, graph: ModuleGraph) => {
  groups ??= findGroups(graph)
  return groups[name].has(id) ? name : null
}

/**
 * React's production build renders the pages, regardless of NODE_ENV. React and everything that uses it are in the
 * bundle, because hooks fail with two copies of React.
 */
const renderer = {
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: { noExternal: true as const },
}

/**
 * A page that is opened later loads the shared files of its module after the module. A list of these files for all
 * pages would add 1.4 KiB of script to every document; the server lists only the files of the document itself.
 */
const findStylesheets = (_file: string, files: string[]) => files.filter((file) => file.endsWith('.css'))

/** The build for browsers. Its manifest lists the files that each page needs (`server/pages/builds.ts`). */
const client = {
  build: {
    outDir: 'build/client',
    manifest: true,
    modulePreload: { resolveDependencies: findStylesheets },
    rolldownOptions: {
      input: 'web/entry.client.tsx',
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: framework, priority: 3 },
            { name: inGroup('shell'), debugName: 'shell', priority: 2 },
            { name: inGroup('catalog'), debugName: 'catalog', priority: 1 },
            { name: 'details', test: details, priority: 1 },
            { name: 'listing', test: listing, priority: 1 },
            { name: inGroup('buying'), debugName: 'buying', priority: 0 },
          ],
        },
      },
    },
  },
}

/** Emits the files that documents link to (style sheet, fonts, icon). They are moved to the build for browsers. */
const server = {
  build: { outDir: 'build/server', emitAssets: true, rolldownOptions: { input: 'web/entry.server.tsx' } },
}

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), react(), smallImportHelper],
  build: { target: 'es2022', assetsInlineLimit: 0, emptyOutDir: true },
  // If Vite found these later, each would reload the page in development.
  optimizeDeps: {
    entries: ['web/entry.client.tsx'],
    include: [
      '@hookform/resolvers/standard-schema',
      '@stripe/react-stripe-js',
      '@stripe/stripe-js/pure',
      '@tanstack/react-query',
      'react-hook-form',
      'react-toastify/unstyled',
      'zod/mini',
    ],
  },
  environments: { client, ssr: { ...server, ...(command === 'build' && renderer) } },
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment)
      const assets = 'build/client/assets'
      cpSync('build/server/assets', assets, { recursive: true, filter: (file) => !file.endsWith('.js') })
      await precompress(assets)
    },
  },
}))
