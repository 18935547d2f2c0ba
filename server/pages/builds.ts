import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { ViteDevServer } from 'vite'
import type * as WebApp from '../../web/entry.server.tsx'
import { StartupError } from '../platform/errors.ts'
import { indexFiles, type Manifest } from './assets.ts'

/** The web application, built or from its sources. */
export interface PageBuild {
  app: () => Promise<typeof WebApp>
  files: NonNullable<WebApp.RenderContext['files']>
  /** Only in development, where Vite serves the assets. */
  development?: {
    register: (app: FastifyInstance) => Promise<void>
    /** Adds the development scripts to an HTML document. */
    finish: (url: string, html: string) => Promise<string>
  }
}

const built = new URL('../../build/', import.meta.url)
const entry = 'web/entry.client.tsx'

/**
 * Loads the web application that `npm run build` created.
 *
 * @throws StartupError if it is not built
 */
export async function openProductionBuild(): Promise<PageBuild> {
  const url = new URL('server/entry.server.js', built)
  if (!existsSync(url)) {
    throw new StartupError('The pages are not built. Run npm start, or run npm run build first.')
  }
  const app = (await import(url.href)) as typeof WebApp
  const manifest = JSON.parse(readFileSync(new URL('client/.vite/manifest.json', built), 'utf8')) as Manifest
  return { app: async () => app, files: indexFiles(manifest, entry) }
}

/** Loads the web application from its sources through Vite, with hot reload. */
export async function openDevelopmentBuild(): Promise<PageBuild> {
  const [{ createServer }, { default: middie }] = await Promise.all([
    import('vite'),
    import('@fastify/middie'),
  ])
  let vite: ViteDevServer | undefined
  const started = () => {
    if (!vite) throw new Error('Vite is not started yet.')
    return vite
  }
  return {
    app: async () => (await started().ssrLoadModule('/web/entry.server.tsx')) as typeof WebApp,
    files: () => ({ entry: `/${entry}`, scripts: [], styles: [] }),
    development: {
      finish: (url, html) => started().transformIndexHtml(url, html),
      async register(server) {
        vite = await createServer({
          server: { middlewareMode: true, hmr: { server: server.server } },
          appType: 'custom',
        })
        await server.register(middie, { hook: 'onRequest' })
        server.use(vite.middlewares)
        server.addHook('onClose', () => started().close())
      },
    },
  }
}
