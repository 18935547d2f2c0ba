import { existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { ServerBuild } from 'react-router'
import type { PageBuild } from './pages.ts'
import { StartupError } from './platform/startup-error.ts'

/**
 * The web application as `npm run build` left it.
 *
 * @throws StartupError where it is not built
 */
export async function openProductionBuild(): Promise<PageBuild> {
  const address = new URL('../build/server/index.js', import.meta.url)
  if (!existsSync(address)) {
    throw new StartupError(
      'The pages are not built: start the shop by npm start, or run npm run build first.',
    )
  }
  const build = (await import(address.href)) as ServerBuild
  return { getBuild: async () => build, mode: 'production' }
}

/** The web application as its sources stand at this moment, through Vite, with hot reload. */
export async function openDevelopmentBuild(): Promise<PageBuild> {
  const [{ createServer }, { default: middie }] = await Promise.all([
    import('vite'),
    import('@fastify/middie'),
  ])
  let load: PageBuild['getBuild'] = () => Promise.reject(new Error('Vite is not started yet.'))

  const dev = async (app: FastifyInstance) => {
    const listeners = process.listeners('SIGTERM')
    const vite = await createServer({
      server: { middlewareMode: true, hmr: { server: app.server } },
      appType: 'custom',
    })
    // React Router's plugin opens a second Vite that ends the process at SIGTERM, before the shop has closed.
    for (const listener of process.listeners('SIGTERM')) {
      if (!listeners.includes(listener)) process.off('SIGTERM', listener)
    }
    load = async () => (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
    await app.register(middie, { hook: 'onRequest' })
    app.use(vite.middlewares)
    app.addHook('onClose', () => vite.close())
  }
  return { getBuild: () => load(), mode: 'development', dev }
}
