import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('./web/root.tsx', import.meta.url))

/** What every page needs of others: it stays in the visitor's cache while the shop's own code changes. */
const framework = /node_modules[\\/](react|react-dom|scheduler|react-router|cookie-es|set-cookie-parser)[\\/]/

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** All that the root route imports, straight or by way of others: every page needs it, so it is one file. */
function shellOf(graph: ModuleGraph): Set<string> {
  const shell = new Set<string>()
  const waiting = [root]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (shell.has(id)) continue
    shell.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return shell
}

let shell: Set<string> | undefined
function nameShell(id: string, graph: ModuleGraph): 'shell' | null {
  shell ??= shellOf(graph)
  return shell.has(id) ? 'shell' : null
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: 'es2022', assetsInlineLimit: 0 },
  // Found later, each of these would reload the page that is being worked on.
  optimizeDeps: {
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
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: framework, priority: 2 },
                { name: nameShell, debugName: 'shell', priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
})
