import type { FastifyInstance } from 'fastify'
import type { ServerBuild } from 'react-router'
import type { PageBuild } from './pages.ts'

/** The web application as `npm run build` left it. */
export async function openProductionBuild(): Promise<PageBuild> {
  const address = new URL('../build/server/index.js', import.meta.url).href
  const build = (await import(address)) as ServerBuild
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
    const vite = await createServer({
      server: { middlewareMode: true, hmr: { server: app.server } },
      appType: 'custom',
    })
    load = async () => (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
    await app.register(middie, { hook: 'onRequest' })
    app.use(vite.middlewares)
    app.addHook('onClose', () => vite.close())
  }
  return { getBuild: () => load(), mode: 'development', dev }
}
