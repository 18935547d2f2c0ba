import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// What Node made of some thousand files at the last start it does not make again: that is a third of a start.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
await import('./serve.ts')
