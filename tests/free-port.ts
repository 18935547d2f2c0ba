import { createServer } from 'node:net'

/** Returns a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const address = server.address()
      const port = address && typeof address === 'object' ? address.port : null
      server.close(() => (port === null ? reject(new Error('no port is free')) : resolve(port)))
    })
  })
}
