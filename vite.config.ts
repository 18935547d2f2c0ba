import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './scripts/precompress.ts'

const web = new URL('./web/', import.meta.url)

/** Libraries of every page: they stay in the browser's cache when the shop's own code changes. */
const framework = /node_modules[\\/](react|react-dom|scheduler)[\\/]/

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Returns a file and all its imports, direct and indirect. */
function collectImports(file: string, graph: ModuleGraph): Set<string> {
  const reach = new Set([fileURLToPath(new URL(file, web))])
  // The loop also visits the ids that it adds.
  for (const id of reach)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reach.add(imported)
  return reach
}

/** The pages that visitors arrive at. What two of them share is in few files, which is less than many small ones. */
const openPages = ['home', 'products', 'product', 'blogs', 'contact-us']

function findGroups(graph: ModuleGraph) {
  const reaches = openPages.map((page) => collectImports(`pages/${page}.tsx`, graph))
  const shared = reaches.flatMap((reach) => [...reach]).filter((id, at, all) => all.indexOf(id) < at)
  const ours = shared.filter((id) => !id.includes('/features/'))
  return {
    shell: new Set([...collectImports('entry.client.tsx', graph), ...ours]),
    catalog: new Set(shared.filter((id) => id.includes('/features/catalog/'))),
  }
}

let groups: ReturnType<typeof findGroups> | undefined
const inGroup = (name: 'shell' | 'catalog') => (id: string, graph: ModuleGraph) => {
  groups ??= findGroups(graph)
  return groups[name].has(id) ? name : null
}

/**
 * The pages are rendered by React's build for production, whatever NODE_ENV the shop runs with: it is in the bundle, with all
 * that renders by it, for two Reacts do not know each other's hooks.
 */
const renderer = {
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: { noExternal: true as const },
}

/**
 * A page that is opened later loads the shared files of its module after it. To name them for all pages took 1.4 KiB of
 * script in every document, whose own files the server names.
 */
const findStylesheets = (_file: string, files: string[]) => files.filter((file) => file.endsWith('.css'))

/** What the browser loads, with a list of it from which the server says what a page needs (`server/pages/builds.ts`). */
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
          ],
        },
      },
    },
  },
}

/** What documents name by themselves (style sheet, fonts, icon) is emitted here, and moved to what the browser loads. */
const server = {
  build: { outDir: 'build/server', emitAssets: true, rolldownOptions: { input: 'web/entry.server.tsx' } },
}

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), react()],
  build: { target: 'es2022', assetsInlineLimit: 0, emptyOutDir: true },
  // Found later, each of these would reload the page that is being worked on.
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
