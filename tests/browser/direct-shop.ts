import { freePort } from '../free-port.ts'
import { openTcpProxy, type TcpProxy } from '../proxy.ts'
import { startShop } from './running-shop.ts'
import { test as base } from './test.ts'

/**
 * The shop as `npm start` opens it, with its mailbox, which it has only without a reverse proxy. A TCP proxy can
 * refuse every connection, like a stopped server. Responses stay in the cache for the whole test. All files share one
 * `test`, because a second one would start more shops.
 */
export const test = base.extend<object, { server: TcpProxy; port: number }>({
  port: [({}, use) => freePort().then(use), { scope: 'worker' }],
  server: [
    async ({ port }, use) => {
      const server = await openTcpProxy(`http://127.0.0.1:${port}`)
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ port, server }, use) => {
      const origin = `http://localhost:${server.port}`
      const shop = await startShop({
        PORT: String(port),
        PUBLIC_URL: origin,
        TRUSTED_PROXIES: '0',
        CACHE_SECONDS: '60',
      })
      await use({ ...shop, origin })
      await shop.stop()
    },
    { scope: 'worker' },
  ],
  extraHTTPHeaders: {},
})

export { expect } from './test.ts'
