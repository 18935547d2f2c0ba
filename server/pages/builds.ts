import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type * as WebApp from '../../web/entry.server.tsx'
import { StartupError } from '../platform/errors.ts'
import { indexFiles, type Manifest } from './assets.ts'
import type { PageBuild } from './register.ts'

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
  return { app: async () => app, files: indexFiles(manifest, entry), mode: 'production' }
}

/** Loads the web application from its sources through Vite, with hot reload. */
export async function openDevelopmentBuild(): Promise<PageBuild> {
  const [{ createServer }, { default: middie }] = await Promise.all([
    import('vite'),
    import('@fastify/middie'),
  ])
  let app: PageBuild['app'] = () => Promise.reject(new Error('Vite is not started yet.'))
  let finish: PageBuild['finish']

  const dev = async (server: FastifyInstance) => {
    const vite = await createServer({
      server: { middlewareMode: true, hmr: { server: server.server } },
      appType: 'custom',
    })
    app = async () => (await vite.ssrLoadModule('/web/entry.server.tsx')) as typeof WebApp
    finish = (url, html) => vite.transformIndexHtml(url, html)
    await server.register(middie, { hook: 'onRequest' })
    server.use(vite.middlewares)
    server.addHook('onClose', () => vite.close())
  }
  return {
    app: () => app(),
    files: () => ({ entry: `/${entry}`, scripts: [], styles: [] }),
    finish: async (url, html) => (await finish?.(url, html)) ?? html,
    mode: 'development',
    dev,
  }
}
