import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// What Node made of some thousand files at the last start it does not make again at this one.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
await import('./serve.ts')
